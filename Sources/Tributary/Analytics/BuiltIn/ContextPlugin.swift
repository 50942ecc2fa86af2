import Foundation
import TributaryJSON

/// Adds facts about library, app, device and system to the context of each event.
///
/// Members that an event already has stay as they are. Constant facts are read once. The others are read again when the
/// system reports a change or a minute has passed. So nothing is read for a single event. Unknown facts are left out.
///
/// Unchecked because the prepared members are behind their lock, `analytics` is only touched on the client's executor,
/// and everything else is constant.
public final class ContextPlugin: MemberPlugin, @unchecked Sendable {
    public let type = PluginType.before
    public let name = "Context"
    public weak var analytics: Analytics?

    private let reader: ContextReader
    let instanceId: String
    /// The app's user agent; nil uses the library's.
    private let userAgent: String?
    private let prepared = LockBox<Prepared?>(nil)
    private var watch: ContextWatch?
    private let deviceToken = LockBox<String?>(nil)

    private struct Prepared {
        let fixed: JSONObject
        /// All members, with their text.
        var rendered: RenderedObject
        /// The time for the next reading; nil reads at the next event.
        var until: TimeInterval?
    }

    /// - Parameters:
    ///   - instanceId: identifies this client from its start to its end.
    ///   - userAgent: replaces the user agent made of library and system.
    ///   - reader: reads the facts.
    init(instanceId: String, userAgent: String? = nil, reader: ContextReader = .system) {
        self.instanceId = instanceId
        self.userAgent = userAgent
        self.reader = reader
    }

    public func configure(analytics: Analytics) {
        self.analytics = analytics
        watch = ContextWatch { [weak self] in self?.refresh() }
    }

    public func execute<Event: RawEvent>(event: Event?) -> Event? {
        guard var event else { return nil }
        shape(&event.json)
        return event
    }

    /// Adds the context. An event without a context of its own shares the prepared one, which saves building it.
    func shape(_ event: inout JSONObject) {
        let members = members(at: analytics?.time.uptime ?? 0)
        guard var context = event["context"]?.objectValue, !context.isEmpty else {
            event["context"] = .object(members)
            return
        }
        for (key, value) in members where context[key] == nil { context[key] = value }
        event["context"] = .object(context)
    }

    /// The present context of events.
    var current: JSONObject { members(at: analytics?.time.uptime ?? 0) }

    /// The version of the app; nil when its bundle has none.
    var appVersion: String? { reader.fixed()["app"]?["version"]?.stringValue }

    /// The context that most events share, with its text; nil before the first event.
    var rendered: RenderedObject? { prepared.withLock { $0?.rendered } }

    public func shutdown() { watch = nil }

    /// Makes the next event read the changing facts again.
    func refresh() { prepared.withLock { $0?.until = nil } }

    /// Puts a token for push notifications into the device's members.
    func setDeviceToken(_ token: String?) {
        deviceToken.withLock { $0 = token }
        refresh()
    }

    private func members(at uptime: TimeInterval) -> JSONObject {
        prepared.withLock { prepared in
            if let current = prepared, let until = current.until, uptime < until { return current.rendered.object }
            let fixed = prepared?.fixed ?? fixedMembers
            var members = fixed
            for (key, value) in reader.changing() { members[key] = value }
            addDeviceToken(&members)
            addConsent(&members)
            prepared = Prepared(
                fixed: fixed, rendered: RenderedObject(members), until: uptime + Limits.contextInterval)
            return members
        }
    }

    private func addDeviceToken(_ members: inout JSONObject) {
        guard let token = deviceToken.withLock({ $0 }) else { return }
        var device = members["device"]?.objectValue ?? [:]
        device["token"] = .string(token)
        members["device"] = .object(device)
    }

    /// The consent decision when the event is processed, in the field's form.
    private func addConsent(_ members: inout JSONObject) {
        guard let preferences = analytics?.writer.record.preferences, !preferences.isEmpty else { return }
        members["consent"] = ["categoryPreferences": .object(preferences)]
    }

    private var fixedMembers: JSONObject {
        var members: JSONObject = [
            "library": ["name": "tributary", "version": .string(LibraryVersion.current)],
            "instanceId": .string(instanceId),
        ]
        for (key, value) in reader.fixed() { members[key] = value }
        members["userAgent"] = .string(userAgent ?? Self.userAgent(members))
        return members
    }

    /// The real library and system.
    private static func userAgent(_ members: JSONObject) -> String {
        let system = ["name", "version"].compactMap { members["os"]?[$0]?.stringValue }.joined(separator: " ")
        let plain = system.unicodeScalars.filter {
            (0x20..<0x7F).contains($0.value) && !"()\\".unicodeScalars.contains($0)
        }
        let product = "tributary/\(LibraryVersion.current)"
        return plain.isEmpty ? product : "\(product) (\(String(String.UnicodeScalarView(plain))))"
    }
}
