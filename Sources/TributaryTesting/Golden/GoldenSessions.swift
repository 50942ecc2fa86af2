public import TributaryJSON

/// Recorded sessions, with the events that came out of them under one version of the live plugins.
///
/// A file of golden sessions is NDJSON. Its first line is the head, each other line is an event or a signal of a session.
/// `tributary plugin golden make` writes such a file of stored sessions. ``TestClient/replay(_:configure:plugins:)`` plays it
/// through the plugins of an app.
///
/// ```swift
/// let golden = try GoldenSessions(
///     Array("""
///         {"tributaryGolden":1,"plan":[{"type":"track","name":"Paid"}]}
///         {"session":"1","event":{"type":"track","event":"Paid","messageId":"m","properties":{"total":42}}}
///         """.utf8))
/// print(golden.sessions.count)
/// ```
public struct GoldenSessions: Sendable, Hashable {
    /// The bounds of a file.
    public enum Limits {
        /// Bytes of a file.
        public static let bytes = 32 << 20
        /// Bytes of a line.
        public static let lineBytes = 1 << 20
        /// Sessions of a file.
        public static let sessions = 200
        /// Events and signals of all sessions.
        public static let records = 10_000
        /// Events of the tracking plan.
        public static let plannedEvents = 1_000
        /// Bytes of the name of a session.
        public static let nameBytes = 200
        /// Events that one event or signal made.
        public static let madeEvents = 1_000
        /// How deep the JSON of a line may be nested.
        public static let depth = 128
    }

    /// The version of this format.
    public static let formatVersion = 1

    /// The version of the live plugins that made the results; nil when there were none, or when it has no number.
    public var version: Int?
    /// The events of the tracking plan.
    public var plan: [GoldenEventName]
    /// The sessions, oldest first.
    public var sessions: [GoldenSession]

    /// Sessions that are made by hand.
    /// - Parameters:
    ///   - version: the version of the live plugins that made the results. Default: nil.
    ///   - plan: the events of the tracking plan. Default: none.
    ///   - sessions: the sessions. Default: none.
    public init(version: Int? = nil, plan: [GoldenEventName] = [], sessions: [GoldenSession] = []) {
        (self.version, self.plan, self.sessions) = (version, plan, sessions)
    }
}

/// The type of an event and, for an event with a name, its name.
public struct GoldenEventName: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// `track`, `identify`, `screen`, `page`, `group` or `alias`.
    public let type: String
    /// The name of a track, screen or page event; nil for an event without a name.
    public let name: String?

    /// A type with a name.
    public init(type: String, name: String? = nil) { (self.type, self.name) = (type, name) }

    /// The name of an event.
    public init(of event: JSON) {
        let type = event["type"]?.stringValue ?? ""
        let key = type == "track" ? "event" : ["screen", "page"].contains(type) ? "name" : nil
        self.init(type: type, name: key.flatMap { event[$0]?.stringValue })
    }

    public static func < (left: GoldenEventName, right: GoldenEventName) -> Bool {
        (left.type, left.name ?? "") < (right.type, right.name ?? "")
    }

    /// The type and the name on one line, such as `track "Paid"`.
    public var description: String { name.map { "\(type) \(JSON.string($0))" } ?? type }

    init?(_ json: JSON) {
        guard let type = json["type"]?.stringValue, !type.isEmpty else { return nil }
        self.init(type: type, name: json["name"]?.stringValue)
    }

    /// The name as a JSON object.
    public var json: JSON {
        var json: JSON = ["type": .string(type)]
        json["name"] = name.map(JSON.string)
        return json
    }
}
