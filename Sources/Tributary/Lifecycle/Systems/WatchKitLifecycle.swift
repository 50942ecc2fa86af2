#if canImport(WatchKit) && !os(iOS)
import Foundation
import WatchKit

/// What WatchKit tells of an app's life.
final class WatchKitLifecycle: LifecycleWatch {
    private let notifications = NotificationWatch()

    init(_ analytics: Analytics, _ take: @escaping @Sendable (LifecycleStep) -> Void) {
        let plugins = Plugins(analytics)
        func on(
            _ name: Notification.Name, _ step: LifecycleStep?,
            _ tell: @escaping @Sendable (any watchOSLifecycleEvents, WKExtension?) -> Void
        ) {
            notifications.on(name) { notification in
                plugins.visit(notification, tell)
                if let step { take(step) }
            }
        }
        on(WKExtension.applicationDidFinishLaunchingNotification, .launched()) {
            $0.applicationDidFinishLaunching(watchExtension: $1)
        }
        on(WKExtension.applicationWillEnterForegroundNotification, .enteringForeground) {
            $0.applicationWillEnterForeground(watchExtension: $1)
        }
        on(WKExtension.applicationDidEnterBackgroundNotification, .enteredBackground) {
            $0.applicationDidEnterBackground(watchExtension: $1)
        }
        on(WKExtension.applicationDidBecomeActiveNotification, .becameActive) {
            $0.applicationDidBecomeActive(watchExtension: $1)
        }
        on(WKExtension.applicationWillResignActiveNotification, nil) {
            $0.applicationWillResignActive(watchExtension: $1)
        }
        // The notification of the start has gone by where the client is made later than in the app's delegate.
        DispatchQueue.main.async { take(.launched()) }
    }

    func stop() { notifications.stop() }

    /// Unchecked because a weak reference may be read on any thread, and this one is constant.
    private final class Plugins: @unchecked Sendable {
        private weak var analytics: Analytics?
        init(_ analytics: Analytics) { self.analytics = analytics }

        func visit(_ notification: Notification, _ tell: (any watchOSLifecycleEvents, WKExtension?) -> Void) {
            let watchExtension = notification.object as? WKExtension
            analytics?.visit((any watchOSLifecycleEvents).self) { tell($0, watchExtension) }
        }
    }
}
#endif
