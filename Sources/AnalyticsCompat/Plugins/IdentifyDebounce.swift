public import Foundation

/// Keeps identify events without new information from destinations that charge for each event.
///
/// Such an event repeats the user, installation and traits of the identify event before it. It still goes to the server
/// and to all other destinations. The type works as middleware and as a plugin:
///
/// ```swift
/// let config = AnalyticsConfiguration(writeKey: "KEY")
/// config.sourceMiddleware = [IdentifyDebounce()]
/// analytics.add(plugin: IdentifyDebounce(destinations: ["Braze"], minimumInterval: 86_400))
/// ```
///
/// Unchecked because only one client's executor calls it, except for `analytics`, which is set once, before the first
/// event.
public final class IdentifyDebounce: EventPlugin, Middleware, @unchecked Sendable {
    /// What happens to a repetition.
    public enum Mode: Sendable {
        /// The repetition does not reach the named destinations.
        case disableDestinations
        /// The repetition is dropped.
        case dropEvent
    }

    public let type: PluginType
    public let name = "IdentifyDebounce"
    public weak var analytics: Analytics?

    private let destinations: [String]
    private let minimumInterval: TimeInterval?
    private let mode: Mode
    private let remembers: Bool
    private var last: Seen?
    private var isLoaded = false
    /// A larger file is not one of this plugin.
    private static let largestFile = 4096

    private struct Seen: Equatable {
        let hash: String
        let at: Int64
    }

    /// - Parameters:
    ///   - destinations: keys of the destinations. Default: the two keys of Braze.
    ///   - minimumInterval: seconds after which a repetition counts as new; nil means never. Default: nil.
    ///   - mode: what happens to a repetition. Default: `disableDestinations`.
    ///   - remembersAcrossLaunches: whether a file keeps a checksum of the last event. Default: false, so the first
    ///     event after each launch counts as new.
    ///   - type: the place of the plugin. Default: `enrichment`. In the timeline of a destination, use `dropEvent`.
    public init(
        destinations: [String] = ["Appboy", "Braze"], minimumInterval: TimeInterval? = nil,
        mode: Mode = .disableDestinations, remembersAcrossLaunches: Bool = false, type: PluginType = .enrichment
    ) {
        self.destinations = destinations
        self.minimumInterval = minimumInterval
        self.mode = mode
        remembers = remembersAcrossLaunches
        self.type = type
    }

    public func identify(event: IdentifyEvent) -> IdentifyEvent? {
        guard isRepetition(event, analytics) else { return event }
        guard mode == .disableDestinations else { return nil }
        var event = event
        for key in destinations { event.disableIntegration(key: key) }
        return event
    }

    public func reset() { forget(analytics) }

    public func context(_ context: Context, next: @escaping SEGMiddlewareNext) {
        switch context.eventType {
        case .identify:
            guard let payload = context.payload as? IdentifyPayload,
                isRepetition(event(of: payload), context._analytics)
            else { return next(context) }
            guard mode == .disableDestinations else { return next(nil) }
            next(context.modify { $0.payload = disabled(payload) })
        case .reset:
            forget(context._analytics)
            next(context)
        default: next(context)
        }
    }

    private func event(of payload: IdentifyPayload) -> IdentifyEvent {
        var event = IdentifyEvent(userId: payload.userId, traits: payload.traitsJSON)
        event.anonymousId = payload.anonymousId
        return event
    }

    private func disabled(_ payload: IdentifyPayload) -> IdentifyPayload {
        var integrations = payload.integrations
        for key in destinations { integrations[key] = false }
        return IdentifyPayload(
            userId: payload.userId, anonymousId: payload.anonymousId, traits: payload.traits,
            context: payload.context, integrations: integrations)
    }

    // MARK: The last event

    private func isRepetition(_ event: IdentifyEvent, _ analytics: Analytics?) -> Bool {
        load(analytics)
        let hash = Self.hash(event)
        let now = analytics?.time.milliseconds ?? 0
        if let last, last.hash == hash {
            guard let minimumInterval, Double(now - last.at) >= minimumInterval * 1000 else { return true }
        }
        let seen = Seen(hash: hash, at: now)
        last = seen
        store(seen, analytics)
        return false
    }

    private func forget(_ analytics: Analytics?) {
        last = nil
        isLoaded = true
        do {
            try file(analytics)?.remove()
        } catch {
            report("the checksum of the last identify event cannot be deleted: \(error)", analytics)
        }
    }

    /// A checksum of ids and traits, whatever the order of members. Missing traits differ from empty traits.
    private static func hash(_ event: IdentifyEvent) -> String {
        let parts: JSON = [
            "userId": .string(event.userId ?? ""), "anonymousId": .string(event.anonymousId ?? ""),
            "traits": event.traits.map(sorted) ?? .null,
        ]
        return String(Identifiers.fnv1a(parts.encoded()), radix: 16)
    }

    private static func sorted(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            var result = JSONObject()
            for key in object.keys.sorted() { result[key] = object[key].map(sorted) }
            return .object(result)
        case .array(let elements): return .array(elements.map(sorted))
        default: return json
        }
    }

    // MARK: The file

    private func file(_ analytics: Analytics?) -> KeptFile? {
        remembers ? analytics?.keptFile("identify-debounce.json") : nil
    }

    /// Reads the checksum of the last event. Without the file, the next event counts as new. That is also the case when
    /// the file cannot be read; this is reported, and the next event replaces the file.
    private func load(_ analytics: Analytics?) {
        guard !isLoaded else { return }
        isLoaded = true
        do {
            guard let bytes = try file(analytics)?.read(Self.largestFile) else { return }
            let json = try JSON.parse(bytes)
            guard let hash = json["hash"]?.stringValue, let at = json["at"]?.numberValue?.int64 else {
                throw JSONError(.mismatch, "the file has no checksum")
            }
            last = Seen(hash: hash, at: at)
        } catch {
            report(
                "the checksum of the last identify event cannot be read, so the next one counts as new: \(error)",
                analytics)
        }
    }

    private func store(_ seen: Seen, _ analytics: Analytics?) {
        guard let file = file(analytics) else { return }
        let json: JSON = ["hash": .string(seen.hash), "at": .number(JSONNumber(seen.at))]
        do {
            try file.replace(with: json.encoded())
        } catch {
            report("the checksum of the last identify event cannot be stored: \(error)", analytics)
        }
    }

    private func report(_ message: String, _ analytics: Analytics?) {
        analytics?.report(Diagnostic(.storage, message, plugin: name))
    }
}
