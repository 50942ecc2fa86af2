#if canImport(UIKit)
import UIKit
#elseif canImport(WatchKit)
import WatchKit
#endif
#if canImport(UIKit) || canImport(WatchKit)
import Dispatch
import Foundation

/// Work that the system leaves time for although the app is in the background.
///
/// Not `beginBackgroundTask`, which app extensions may not use.
enum ExpiringActivity {
    private static let reason = "Tributary: delivery of events"

    static func run(_ work: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        let done = DispatchSemaphore(value: 0)
        ProcessInfo.processInfo.performExpiringActivity(withReason: reason) { isOver in
            // The system calls again, with true, when time is over, and at once when there is none.
            guard !isOver else {
                done.signal()
                return
            }
            work { done.signal() }
            // The activity lasts as long as this call. One of the two signals always comes: what is not sent stays on disk.
            done.wait()
        }
    }
}
#endif
