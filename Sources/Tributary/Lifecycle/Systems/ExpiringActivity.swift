#if canImport(UIKit)
import UIKit
#elseif canImport(WatchKit)
import WatchKit
#endif
#if canImport(UIKit) || canImport(WatchKit)
import Dispatch
import Foundation

/// Work for which the system grants time although the app is in the background.
///
/// It does not use `beginBackgroundTask`, which is not available in app extensions.
enum ExpiringActivity {
    private static let reason = "Tributary: delivery of events"

    static func run(_ work: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        let done = DispatchSemaphore(value: 0)
        ProcessInfo.processInfo.performExpiringActivity(withReason: reason) { isOver in
            // The system calls again with true when the time is over. When it grants no time, it calls with true at
            // once.
            guard !isOver else {
                done.signal()
                return
            }
            work { done.signal() }
            // The activity lasts as long as this call. One of the two signals always comes. Events that are not sent
            // stay on disk.
            done.wait()
        }
    }
}
#endif
