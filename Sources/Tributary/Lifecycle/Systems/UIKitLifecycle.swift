#if canImport(UIKit) && !os(watchOS)
import Foundation
import UIKit

/// What UIKit tells of an app's life.
final class UIKitLifecycle: LifecycleWatch {
    private let notifications = NotificationWatch()
    private let start: StartNotice

    init(_ analytics: Analytics, _ take: @escaping @Sendable (LifecycleStep) -> Void) {
        let start = StartNotice(analytics, take)
        self.start = start
        let analytics = Weak(analytics)
        notifications.on(UIApplication.didFinishLaunchingNotification) { notification in
            let options = Self.options(notification)
            analytics.visit(notification) { plugin, application in
                plugin.application(application, didFinishLaunchingWithOptions: options)
            }
            start.launched(Self.launch(options))
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

    private static func options(_ notification: Notification) -> [UIApplication.LaunchOptionsKey: Any]? {
        guard let info = notification.userInfo else { return nil }
        var options: [UIApplication.LaunchOptionsKey: Any] = [:]
        for (key, value) in info {
            guard let name = (key as? UIApplication.LaunchOptionsKey)?.rawValue ?? key as? String else { continue }
            options[UIApplication.LaunchOptionsKey(rawValue: name)] = value
        }
        return options
    }

    private static func launch(_ options: [UIApplication.LaunchOptionsKey: Any]?) -> LifecycleStep {
        .launched(
            url: (options?[.url] as? URL)?.absoluteString,
            referringApplication: options?[.sourceApplication] as? String)
    }

    /// Unchecked because a weak reference may be read on any thread, and this one is constant.
    private final class Weak: @unchecked Sendable {
        private weak var analytics: Analytics?
        init(_ analytics: Analytics) { self.analytics = analytics }

        func visit(_ notification: Notification, _ tell: (any iOSLifecycleEvents, UIApplication?) -> Void) {
            let application = notification.object as? UIApplication
            analytics?.visit((any iOSLifecycleEvents).self) { tell($0, application) }
        }
    }
}
#endif
