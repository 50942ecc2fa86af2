import AnalyticsCompat
import Foundation
import TestSupport

/// An integration with every function, which notes what it is told.
///
/// Unchecked because the notes are behind the lock, and the rest is constant.
final class RecordingIntegration: Integration, @unchecked Sendable {
    private let notes = LockBox<[String]>([])
    private let kept = LockBox<[Payload]>([])
    private let onTrack: @Sendable (TrackPayload) -> Void

    init(onTrack: @escaping @Sendable (TrackPayload) -> Void = { _ in }) { self.onTrack = onTrack }

    var calls: [String] { notes.withLock { $0 } }
    var payloads: [Payload] { kept.withLock { $0 } }

    private func note(_ call: String, _ payload: Payload? = nil) {
        notes.withLock { $0.append(call) }
        if let payload { kept.withLock { $0.append(payload) } }
    }

    func identify(_ payload: IdentifyPayload) { note("identify \(payload.userId)", payload) }
    func track(_ payload: TrackPayload) {
        note("track \(payload.event)", payload)
        onTrack(payload)
    }
    func screen(_ payload: ScreenPayload) { note("screen \(payload.name)", payload) }
    func group(_ payload: GroupPayload) { note("group \(payload.groupId)", payload) }
    func alias(_ payload: AliasPayload) { note("alias \(payload.theNewId)", payload) }
    func reset() { note("reset") }
    func flush() { note("flush") }
    func receivedRemoteNotification(_ userInfo: [AnyHashable: Any]) { note("received \(userInfo["a"] ?? "")") }
    func failedToRegisterForRemoteNotificationsWithError(_ error: any Error) { note("failed \(error)") }
    func registeredForRemoteNotifications(withDeviceToken deviceToken: Data) { note("registered \(deviceToken.count)") }
    func handleAction(withIdentifier identifier: String, forRemoteNotification userInfo: [AnyHashable: Any]) {
        note("action \(identifier)")
    }
    func applicationDidFinishLaunching(_ notification: Notification) { note("launched \(notification.name.rawValue)") }
    func applicationDidEnterBackground() { note("background") }
    func applicationWillEnterForeground() { note("foreground") }
    func applicationWillTerminate() { note("terminate") }
    func applicationWillResignActive() { note("resign") }
    func applicationDidBecomeActive() { note("active") }
    func `continue`(_ activity: UserActivity) { note("continue \(activity.activityType)") }
    func open(_ url: URL, options: [AnyHashable: Any]) { note("open \(url.absoluteString)") }
}

/// Makes the integration that a test has, or none, and notes with what settings.
///
/// Unchecked because the notes are behind the lock, and the rest is constant.
final class TestFactory: SEGIntegrationFactory, @unchecked Sendable {
    private let notes = LockBox<[JSON]>([])
    private let name: String
    private let integration: (any Integration)?

    init(_ name: String, _ integration: (any Integration)? = RecordingIntegration()) {
        self.name = name
        self.integration = integration
    }

    /// The settings that it was asked to make an integration of.
    var settings: [JSON] { notes.withLock { $0 } }

    func create(withSettings settings: [AnyHashable: Any], for analytics: Analytics) -> (any Integration)? {
        let json = (settings as? [String: Any]).flatMap { try? JSON($0) }
        notes.withLock { $0.append(json ?? .null) }
        return integration
    }

    func key() -> String { name }
}
