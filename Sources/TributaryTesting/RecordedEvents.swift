public import Tributary

/// Events in the order in which they were tracked.
public struct RecordedEvents: Sendable, RandomAccessCollection {
    private let events: [any RawEvent]

    /// These events, in this order.
    public init(_ events: [any RawEvent]) { self.events = events }

    public var startIndex: Int { events.startIndex }
    public var endIndex: Int { events.endIndex }
    public subscript(position: Int) -> any RawEvent { events[position] }

    /// The track events.
    public var tracks: [TrackEvent] { compactMap { $0 as? TrackEvent } }
    /// The screen events.
    public var screens: [ScreenEvent] { compactMap { $0 as? ScreenEvent } }
    /// The identify events.
    public var identifies: [IdentifyEvent] { compactMap { $0 as? IdentifyEvent } }
    /// The group events.
    public var groups: [GroupEvent] { compactMap { $0 as? GroupEvent } }
    /// The alias events.
    public var aliases: [AliasEvent] { compactMap { $0 as? AliasEvent } }
    /// The names of the track events.
    public var names: [String] { tracks.map(\.event) }

    /// The track events with a name.
    public func tracked(_ name: String) -> [TrackEvent] { tracks.filter { $0.event == name } }
}

extension RecordedEvents: CustomStringConvertible {
    /// Each event with its content on a line, for the message of a failure.
    public var description: String {
        guard !isEmpty else { return "no events" }
        return enumerated().map { "\($0 + 1). \(Self.line($1))" }.joined(separator: "\n")
    }

    private static func line(_ event: any RawEvent) -> String {
        let name = ["event", "name", "groupId", "userId"].compactMap { event.json[$0]?.stringValue }.first
        let values = event.json["properties"] ?? event.json["traits"]
        let parts = [event.type, name.map { "\"\($0)\"" }, values.map(\.description)]
        return parts.compactMap { $0 }.joined(separator: " ")
    }
}
