import Dispatch
import Foundation

/// Whether code runs on the main actor: on the main thread, and on Linux also on the threads that serve the main queue
/// while the program waits in it.
package enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Runs work on the main actor: at once when the caller is there, else at its next turn.
    package static func run(_ work: @escaping @MainActor @Sendable () -> Void) {
        if isCurrent { return MainActor.assumeIsolated(work) }
        DispatchQueue.main.async(execute: work)
    }

    package static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}
