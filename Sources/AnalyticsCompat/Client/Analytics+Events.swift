public import Foundation

// The calls of analytics-ios for push notifications, links and activities.
extension Analytics {
    /// Passes on a received notification; with `trackPushNotifications`, tracks it.
    public func receivedRemoteNotification(_ userInfo: [AnyHashable: Any]) {
        trackNotification("Push Notification Received", Self.members(userInfo))
        receivedRemoteNotification(userInfo: userInfo)
    }

    /// Passes on that the app cannot get notifications.
    public func failedToRegisterForRemoteNotificationsWithError(_ error: any Error) {
        guard acceptsEvents else { return }
        failedToRegisterForRemoteNotification(error: error)
    }

    /// Passes on the token for notifications, which later events have in their context.
    public func registeredForRemoteNotifications(withDeviceToken deviceToken: Data) {
        guard acceptsEvents else { return }
        middlewarePlugin?.deviceToken = deviceToken.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
            .joined()
        registeredForRemoteNotifications(deviceToken: deviceToken)
    }

    /// Passes on the token, under the name in older documentation.
    public func registerForRemoteNotifications(
        withDeviceToken deviceToken: Data, options: [AnyHashable: Any]? = nil
    ) {
        registeredForRemoteNotifications(withDeviceToken: deviceToken)
    }

    /// Passes on that the user chose an action of a notification.
    public func handleAction(withIdentifier identifier: String, forRemoteNotification userInfo: [AnyHashable: Any]) {
        handleAction(identifier: identifier, userInfo: Self.members(userInfo))
    }

    /// Passes on an activity that the app continues; with `trackDeepLinks`, tracks a link from the web.
    public func `continue`(_ activity: UserActivity) {
        guard acceptsEvents else { return }
        visit((any UserActivities).self) { $0.continueUserActivity(activity) }
        guard let configuration = middlewarePlugin?.configuration, configuration.trackDeepLinks,
            activity.activityType == NSUserActivityTypeBrowsingWeb, let url = activity.webpageURL
        else { return }
        var properties: [String: Any] = [:]
        #if canImport(Darwin)
        properties = Self.members(activity.userInfo ?? [:])
        #endif
        properties["title"] = activity.title ?? ""
        trackLink(url, properties, configuration)
    }

    /// Passes on the address that the app was opened with; with `trackDeepLinks`, tracks it.
    public func open(_ url: URL, options: [AnyHashable: Any] = [:]) {
        guard acceptsEvents else { return }
        let members = Self.members(options)
        visit((any OpeningURLs).self) { $0.openURL(url, options: members) }
        guard let configuration = middlewarePlugin?.configuration, configuration.trackDeepLinks else { return }
        trackLink(url, members, configuration)
    }

    /// Makes the address, after the payload filters, the referrer of later events.
    private func trackLink(_ url: URL, _ properties: [String: Any], _ configuration: AnalyticsConfiguration) {
        let filters = PayloadFilters(configuration.payloadFilters)
        var serialization = Serialization()
        var json = serialization.object(properties, at: "options")
        json["url"] = .string(url.absoluteString)
        if json["title"] == nil { json["title"] = "" }
        setReferrer(filters.apply(to: url.absoluteString))
        track("Deep Link Opened", filters.apply(to: .object(json)), nil, [])
    }

    private func trackNotification(_ name: String, _ members: [String: Any]) {
        guard middlewarePlugin?.configuration.trackPushNotifications == true else { return }
        track(name, properties: members)
    }

    /// Tracks the notification with which the user launched the app.
    func trackLaunch(_ configuration: AnalyticsConfiguration) {
        let key = "UIApplicationLaunchOptionsRemoteNotificationKey"
        guard let options = configuration.launchOptions,
            let notification = options.first(where: { name(of: $0.key) == key })?.value,
            let members = [String: Any](membersOf: notification)
        else { return }
        trackNotification("Push Notification Tapped", members)
    }

    private func name(of key: AnyHashable) -> String? {
        key.base as? String ?? (key.base as? any RawRepresentable)?.rawValue as? String
    }

    /// The members whose keys are texts.
    private static func members(_ dictionary: [AnyHashable: Any]) -> [String: Any] {
        var result: [String: Any] = [:]
        for (key, value) in dictionary {
            if let key = key.base as? String ?? (key.base as? any RawRepresentable)?.rawValue as? String {
                result[key] = value
            }
        }
        return result
    }
}
