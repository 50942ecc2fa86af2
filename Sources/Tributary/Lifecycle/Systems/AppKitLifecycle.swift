#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit
import Foundation

/// Turns the notifications of AppKit into lifecycle steps. An app that is not the active one still counts as in the
/// foreground.
final class AppKitLifecycle: LifecycleWatch {
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
            _ tell: @escaping @Sendable (any macOSLifecycleEvents) -> Void
        ) {
            notifications.on(name) { _ in
                plugins.visit(tell)
                if let step { start.follows(step) }
            }
        }
        notifications.on(NSApplication.didFinishLaunchingNotification) { notification in
            let options = Self.options(notification)
            plugins.visit { $0.application(didFinishLaunchingWithOptions: options) }
            start.launched()
        }
        on(NSApplication.willFinishLaunchingNotification, nil) { $0.applicationWillFinishLaunching() }
        on(NSApplication.willBecomeActiveNotification, nil) { $0.applicationWillBecomeActive() }
        on(NSApplication.didBecomeActiveNotification, .becameActive) { $0.applicationDidBecomeActive() }
        on(NSApplication.willResignActiveNotification, nil) { $0.applicationWillResignActive() }
        on(NSApplication.didResignActiveNotification, nil) { $0.applicationDidResignActive() }
        on(NSApplication.willHideNotification, nil) { $0.applicationWillHide() }
        on(NSApplication.didHideNotification, .hidden) { $0.applicationDidHide() }
        on(NSApplication.willUnhideNotification, nil) { $0.applicationWillUnhide() }
        on(NSApplication.didUnhideNotification, .unhidden) { $0.applicationDidUnhide() }
        notifications.on(NSApplication.willUpdateNotification) { _ in
            if AppKitListeners.exist { plugins.visit { $0.applicationWillUpdate() } }
        }
        notifications.on(NSApplication.didUpdateNotification) { _ in
            if AppKitListeners.exist { plugins.visit { $0.applicationDidUpdate() } }
        }
        on(NSApplication.didChangeScreenParametersNotification, nil) { $0.applicationDidChangeScreenParameters() }
        on(NSApplication.willTerminateNotification, .terminating) { $0.applicationWillTerminate() }
    }

    func stop() { notifications.stop() }

    private static func options(_ notification: Notification) -> [String: Any]? {
        guard let info = notification.userInfo else { return nil }
        return Dictionary(info.compactMap { key, value in (key as? String).map { ($0, value) } }) { first, _ in first }
    }

    /// Unchecked because a weak reference may be read on any thread, and this one is constant.
    private final class Plugins: @unchecked Sendable {
        private weak var analytics: Analytics?
        init(_ analytics: Analytics) { self.analytics = analytics }

        func visit(_ tell: (any macOSLifecycleEvents) -> Void) {
            analytics?.visit((any macOSLifecycleEvents).self, tell)
        }
    }
}
#endif
