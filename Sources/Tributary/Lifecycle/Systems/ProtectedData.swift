import Foundation

#if canImport(UIKit) && !os(watchOS)
import UIKit
#endif

/// Files that a locked device does not let apps read.
enum ProtectedData {
    /// Calls when the device was unlocked, where the system reports that; it does not in extensions.
    static func whenAvailable(_ action: @escaping @Sendable () -> Void) {
        #if canImport(UIKit) && !os(watchOS) && !os(tvOS)
        let watch = NotificationWatch()
        watch.on(UIApplication.protectedDataDidBecomeAvailableNotification) { _ in
            watch.stop()
            action()
        }
        #endif
    }
}
