import Foundation

// The client calls these functions for push notifications, links and activities.
extension MiddlewarePlugin: RemoteNotifications, OpeningURLs, UserActivities {
    private var context: JSONObject { analytics?.commonContext ?? [:] }

    func registeredForRemoteNotifications(deviceToken: Data) {
        pass(
            .notification,
            RemoteNotificationPayload(
                .registeredForRemoteNotifications, deviceToken: deviceToken, context: context))
    }

    func failedToRegisterForRemoteNotification(error: (any Error)?) {
        pass(
            .notification,
            RemoteNotificationPayload(.failedToRegisterForRemoteNotifications, error: error, context: context))
    }

    func receivedRemoteNotification(userInfo: [AnyHashable: Any]) {
        pass(
            .notification,
            RemoteNotificationPayload(.receivedRemoteNotification, userInfo: userInfo, context: context))
    }

    func handleAction(identifier: String, userInfo: [String: Any]) {
        pass(
            .notification,
            RemoteNotificationPayload(
                .handleActionWithForRemoteNotification, actionIdentifier: identifier, userInfo: userInfo,
                context: context))
    }

    func openURL(_ url: URL, options: [String: Any]) {
        let filters = PayloadFilters(configuration.payloadFilters)
        pass(.url, OpenURLPayload(url: filters.apply(to: url), options: options, context: context))
    }

    func continueUserActivity(_ activity: UserActivity) {
        pass(.activity, ContinueUserActivityPayload(activity: activity, context: context))
    }

    /// Handles a change in the life of the app.
    /// - Parameter name: the system's name for it.
    func happened(_ change: ApplicationChange, name: String, launchOptions: [AnyHashable: Any]? = nil) {
        pass(
            .lifecycle(change), ApplicationLifecyclePayload(name: name, launchOptions: launchOptions, context: context))
    }
}

extension MiddlewarePlugin {
    /// Sends the waiting events while the app's own application object grants time.
    func enteredBackground() {
        guard let analytics, let application = configuration.application else { return }
        let task = BackgroundTask(application)
        analytics.requestFlush { task.end() }
    }
}

/// A background task of an application, which can be ended once.
private final class BackgroundTask: Sendable {
    private let application: any ApplicationProtocol
    private let number = LockBox<UInt?>(nil)

    init(_ application: any ApplicationProtocol) {
        self.application = application
        let begun = application.seg_beginBackgroundTask(withName: "Segmentio.Flush") { [weak self] in self?.end() }
        number.withLock { $0 = begun }
    }

    func end() {
        let open = number.exchange(nil)
        if let open { application.seg_endBackgroundTask(open) }
    }
}
