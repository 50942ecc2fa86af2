/// Where events went since the client was made.
public struct EventCounters: Sendable, Equatable {
    /// Something that keeps events back, or changes them for a destination.
    public struct Drop: Sendable, Hashable {
        /// The plugin by name, or the filter rule.
        public let by: String
        /// The destination that does not get the event; nil when none does.
        public let destination: String?

        /// A key for the counters.
        public init(by: String, destination: String?) {
            self.by = by
            self.destination = destination
        }
    }

    /// Calls that returned after their event was stored.
    public internal(set) var tracked = 0
    /// Events that went through the timeline, replayed ones included.
    public internal(set) var processed = 0
    /// Events that a destination took, by its key.
    public internal(set) var delivered: [String: Int] = [:]
    /// Events that a plugin dropped.
    public internal(set) var droppedByPlugin: [Drop: Int] = [:]
    /// Events that a destination filter kept from a destination.
    public internal(set) var droppedByFilter: [Drop: Int] = [:]
    /// Events that a destination filter changed for a destination, also those that a later rule then dropped.
    public internal(set) var changedByFilter: [Drop: Int] = [:]
    /// Events that a destination did not get because settings or the event itself do not enable it.
    public internal(set) var notEnabled: [String: Int] = [:]
    /// Events that a device-mode destination did not get because too many waited for it, by its key.
    public internal(set) var lostByDestination: [String: Int] = [:]
    /// Events that could not be stored or processed, by reason.
    public internal(set) var lost: [String: Int] = [:]
    /// Events that a server confirmed.
    public internal(set) var uploaded = 0
    /// Events that a server refused for good, put aside on disk.
    public internal(set) var deadLettered = 0
}
