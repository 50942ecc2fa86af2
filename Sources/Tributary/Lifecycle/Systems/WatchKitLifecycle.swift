#if canImport(WatchKit) && !os(iOS)
import Foundation
import WatchKit

/// Turns the notifications of WatchKit into lifecycle steps.
final class WatchKitLifecycle: LifecycleWatch {
    private let notifications = NotificationWatch()
    private let start: StartNotice

    init(_ analytics: Analytics, _ take: @escaping @Sendable (LifecycleStep) -> Void) {
        let start = StartNotice(analytics, take)
        self.start = start
        let (notifications, plugins) = (notifications, Plugins(analytics))
        MainQueue.run { Self.listen(notifications, plugins, start) }
    }

    /// Runs on the main actor, because the names of the notifications belong to it.
    @MainActor private static func listen(
        _ notifications: NotificationWatch, _ plugins: Plugins, _ start: StartNotice
    ) {
        func on(
            _ name: Notification.Name, _ step: LifecycleStep?,
            _ tell: @escaping @Sendable (any watchOSLifecycleEvents, WKExtension?) -> Void
        ) {
            notifications.on(name) { notification in
                plugins.visit(notification, tell)
                guard let step else { return }
                if step == .launched() { start.launched() } else { start.follows(step) }
            }
        }
        on(WKApplication.didFinishLaunchingNotification, .launched()) {
            $0.applicationDidFinishLaunching(watchExtension: $1)
        }
        on(WKApplication.willEnterForegroundNotification, .enteringForeground) {
            $0.applicationWillEnterForeground(watchExtension: $1)
        }
        on(WKApplication.didEnterBackgroundNotification, .enteredBackground) {
            $0.applicationDidEnterBackground(watchExtension: $1)
        }
        on(WKApplication.didBecomeActiveNotification, .becameActive) {
            $0.applicationDidBecomeActive(watchExtension: $1)
        }
        on(WKApplication.willResignActiveNotification, nil) {
            $0.applicationWillResignActive(watchExtension: $1)
        }
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
