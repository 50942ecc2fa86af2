import Foundation

#if canImport(UIKit) && !os(watchOS)
import UIKit
#endif

/// Files that apps cannot read while the device is locked.
enum ProtectedData {
    /// Calls back when the device is unlocked. Extensions get no such report.
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
