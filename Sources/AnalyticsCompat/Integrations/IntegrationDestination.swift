import Foundation

/// An integration in the timeline. It is a destination on the device with a key, so filters, live plugins, consent, the
/// tracking plan and `integrations` apply to it.
///
/// Unchecked because everything is constant except `analytics`, which is set once, before the first event.
final class IntegrationDestination: SequentialDestination, @unchecked Sendable {
    let type = PluginType.destination
    let name: String
    let key: String
    let timeline = Timeline()
    weak var analytics: Analytics?
    let integration: any Integration

    init(_ integration: any Integration, key: String) {
        self.integration = integration
        self.key = key
        name = key
    }

    func identify(event: IdentifyEvent) -> IdentifyEvent? {
        integration.identify(IdentifyPayload(event: event.json))
        return event
    }

    func track(event: TrackEvent) -> TrackEvent? {
        integration.track(TrackPayload(event: event.json))
        return event
    }

    func screen(event: ScreenEvent) -> ScreenEvent? {
        integration.screen(ScreenPayload(event: event.json))
        return event
    }

    func group(event: GroupEvent) -> GroupEvent? {
        integration.group(GroupPayload(event: event.json))
        return event
    }

    func alias(event: AliasEvent) -> AliasEvent? {
        integration.alias(AliasPayload(event: event.json))
        return event
    }

    // `reset` and `flush` arrive through `take`, after the middleware of the client and of this destination.

    /// Takes a call without an event. On the destination's queue.
    func take(_ call: IntegrationCall, _ payload: Payload?) {
        switch call {
        case .reset: integration.reset()
        case .flush: integration.flush()
        case .notification: take(payload as? RemoteNotificationPayload)
        case .lifecycle(let change): take(change, payload as? ApplicationLifecyclePayload)
        case .activity:
            if let payload = payload as? ContinueUserActivityPayload { integration.continue(payload.activity) }
        case .url:
            if let payload = payload as? OpenURLPayload { integration.open(payload.url, options: payload.options) }
        }
    }

    private func take(_ payload: RemoteNotificationPayload?) {
        guard let payload else { return }
        switch payload.eventType {
        case .receivedRemoteNotification: integration.receivedRemoteNotification(payload.userInfo ?? [:])
        case .failedToRegisterForRemoteNotifications:
            if let error = payload.error { integration.failedToRegisterForRemoteNotificationsWithError(error) }
        case .registeredForRemoteNotifications:
            if let token = payload.deviceToken { integration.registeredForRemoteNotifications(withDeviceToken: token) }
        case .handleActionWithForRemoteNotification:
            integration.handleAction(
                withIdentifier: payload.actionIdentifier ?? "", forRemoteNotification: payload.userInfo ?? [:])
        default: break
        }
    }

    private func take(_ change: ApplicationChange, _ payload: ApplicationLifecyclePayload?) {
        switch change {
        case .didFinishLaunching:
            let name = Notification.Name(payload?.notificationName ?? change.rawValue)
            integration.applicationDidFinishLaunching(
                Notification(name: name, object: nil, userInfo: payload?.launchOptions))
        case .didEnterBackground: integration.applicationDidEnterBackground()
        case .willEnterForeground: integration.applicationWillEnterForeground()
        case .willTerminate: integration.applicationWillTerminate()
        case .willResignActive: integration.applicationWillResignActive()
        case .didBecomeActive: integration.applicationDidBecomeActive()
        }
    }
}
