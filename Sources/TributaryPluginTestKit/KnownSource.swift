/// The facts of a workspace about a source: which destinations it has, and which events it has stored.
public struct KnownSource: Sendable, Hashable {
    /// The keys of the destinations that the settings have or that stored events name.
    public var destinations: Set<String>
    /// How many events of each type and name are stored: `events["track"]?["Order Completed"]`. Events without a name
    /// have the name "".
    public var events: [String: [String: Int]]

    /// Makes it of what is known.
    public init(destinations: Set<String>, events: [String: [String: Int]]) {
        self.destinations = destinations
        self.events = events
    }

    /// How many events are stored.
    var count: Int { events.values.reduce(0) { $0 + $1.values.reduce(0, +) } }
}
