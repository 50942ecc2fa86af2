public import TributaryJSON

/// The data of an `InstrumentationSignal`.
public struct InstrumentationData: Codable, Hashable, Sendable {
    /// The types of events, and one for all others.
    public enum EventType: String, Codable, Hashable, Sendable, CaseIterable {
        /// A track event.
        case track
        /// A screen event.
        case screen
        /// An identify event.
        case identify
        /// A group event.
        case group
        /// An alias event.
        case alias
        /// An event of another type, such as `page`.
        case unknown

        /// The type with that name on the wire.
        public init(typeName: String?) { self = typeName.flatMap(Self.init(rawValue:)) ?? .unknown }
    }

    /// The type of the event.
    public var type: EventType
    /// The event as it goes on the wire.
    public var rawEvent: JSON

    /// Data of an event.
    public init(rawEvent: JSON) {
        type = EventType(typeName: rawEvent["type"]?.stringValue)
        self.rawEvent = rawEvent
    }

    var members: JSONObject {
        var members = JSONObject()
        members["type"] = .string(type.rawValue)
        members["rawEvent"] = rawEvent
        return members
    }
}
