#if canImport(UIKit) && !os(watchOS)
import Foundation
import UIKit

/// Turns the notifications of UIKit into lifecycle steps.
final class UIKitLifecycle: LifecycleWatch {
    private let notifications = NotificationWatch()
    private let start: StartNotice

    init(_ analytics: Analytics, _ take: @escaping @Sendable (LifecycleStep) -> Void) {
        let start = StartNotice(analytics, isInBackground: { Self.isInBackground(SharedApplication.current) }, take)
        self.start = start
        let analytics = Weak(analytics)
        notifications.on(UIApplication.didFinishLaunchingNotification) { notification in
            let options = Self.options(notification)
            analytics.visit(notification) { plugin, application in
                plugin.application(application, didFinishLaunchingWithOptions: options)
            }
            start.launched(Self.launch(options, notification.object as? UIApplication))
        }
        on(UIApplication.willEnterForegroundNotification, analytics, .enteringForeground) {
            $0.applicationWillEnterForeground(application: $1)
        }
        on(UIApplication.didBecomeActiveNotification, analytics, .becameActive) {
            $0.applicationDidBecomeActive(application: $1)
        }
        on(UIApplication.didEnterBackgroundNotification, analytics, .enteredBackground) {
            $0.applicationDidEnterBackground(application: $1)
        }
        on(UIApplication.willTerminateNotification, analytics, .terminating) {
            $0.applicationWillTerminate(application: $1)
        }
        on(UIApplication.willResignActiveNotification, analytics, nil) {
            $0.applicationWillResignActive(application: $1)
        }
        on(UIApplication.didReceiveMemoryWarningNotification, analytics, nil) {
            $0.applicationDidReceiveMemoryWarning(application: $1)
        }
        on(UIApplication.significantTimeChangeNotification, analytics, nil) {
            $0.applicationSignificantTimeChange(application: $1)
        }
        scene(UIScene.willConnectNotification, analytics) { $0.sceneWillConnect($1) }
        scene(UIScene.didDisconnectNotification, analytics) { $0.sceneDidDisconnect($1) }
        scene(UIScene.didActivateNotification, analytics) { $0.sceneDidBecomeActive($1) }
        scene(UIScene.willDeactivateNotification, analytics) { $0.sceneWillResignActive($1) }
        scene(UIScene.willEnterForegroundNotification, analytics) { $0.sceneWillEnterForeground($1) }
        scene(UIScene.didEnterBackgroundNotification, analytics) { $0.sceneDidEnterBackground($1) }
    }

    func stop() { notifications.stop() }

    private func on(
        _ name: Notification.Name, _ analytics: Weak, _ step: LifecycleStep?,
        _ tell: @escaping @Sendable (any iOSLifecycleEvents, UIApplication?) -> Void
    ) {
        notifications.on(name) { [start] notification in
            analytics.visit(notification, tell)
            if let step { start.follows(step) }
        }
    }

    private func scene(
        _ name: Notification.Name, _ analytics: Weak,
        _ tell: @escaping @MainActor @Sendable (any SceneEvents, UIScene) -> Void
    ) {
        notifications.on(name) { notification in
            guard MainQueue.isCurrent, let scene = (notification.object as? UIScene).map(Handed.init) else { return }
            analytics.visit { plugin in
                let plugin = Handed(plugin)
                MainActor.assumeIsolated { tell(plugin.value, scene.value) }
            }
        }
    }

    private static func options(_ notification: Notification) -> [UIApplication.LaunchOptionsKey: Any]? {
        guard let info = notification.userInfo else { return nil }
        var options: [UIApplication.LaunchOptionsKey: Any] = [:]
        for (key, value) in info {
            guard let name = (key as? UIApplication.LaunchOptionsKey)?.rawValue ?? key as? String else { continue }
            options[UIApplication.LaunchOptionsKey(rawValue: name)] = value
        }
        return options
    }

    private static func launch(
        _ options: [UIApplication.LaunchOptionsKey: Any]?, _ application: UIApplication?
    ) -> LifecycleStep {
        .launched(
            url: (options?[.url] as? URL)?.absoluteString,
            referringApplication: options?[.sourceApplication] as? String,
            isInBackground: isInBackground(application))
    }

    /// Whether the app runs and the user does not see it. An app with scenes may report this at every start, also when
    /// the user sees it. Then its coming to the foreground is reported a moment later.
    private static func isInBackground(_ application: UIApplication?) -> Bool {
        guard MainQueue.isCurrent, let application = application.map(Handed.init) else { return false }
        return MainActor.assumeIsolated { application.value.applicationState == .background }
    }

    /// Unchecked because a weak reference may be read on any thread, and this one is constant.
    private final class Weak: @unchecked Sendable {
        private weak var analytics: Analytics?
        init(_ analytics: Analytics) { self.analytics = analytics }

        func visit(_ notification: Notification, _ tell: (any iOSLifecycleEvents, UIApplication?) -> Void) {
            let application = notification.object as? UIApplication
            analytics?.visit((any iOSLifecycleEvents).self) { tell($0, application) }
        }

        func visit(_ tell: (any SceneEvents) -> Void) { analytics?.visit((any SceneEvents).self, tell) }
    }
}
#endif
