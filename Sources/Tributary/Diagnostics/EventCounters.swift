/// Counts of where events went since the client was made.
///
/// Each tracked event ends in one place: `uploaded`, `deadLettered`, `lost`, `deleted`, or kept from the server by a plugin
/// (`droppedByPlugin`), a filter (`droppedByFilter`) or settings (`notEnabled`). The others wait (`DeliveryState.waiting`).
public struct EventCounters: Sendable, Equatable {
    /// A plugin or a filter rule that drops events, or changes them for a destination.
    public struct Drop: Sendable, Hashable {
        /// The name of the plugin or of the filter rule.
        public let by: String
        /// The destination that does not get the event; nil when no destination gets it.
        public let destination: String?

        /// A key for the counters.
        public init(by: String, destination: String?) {
            self.by = by
            self.destination = destination
        }
    }

    /// Calls that stored their event and returned, and those with an event that was too large to be stored.
    public internal(set) var tracked = 0
    /// Events that went through the timeline, repetitions after a crash included.
    public internal(set) var processed = 0
    /// Processed events that used default settings, because the client had never had any of the workspace. See
    /// `Configuration.requiresSettings(_:)`.
    public internal(set) var processedWithoutSettings = 0
    /// Events that a destination accepted, by its key.
    public internal(set) var delivered: [String: Int] = [:]
    /// Events that a plugin dropped.
    public internal(set) var droppedByPlugin: [Drop: Int] = [:]
    /// Events that a destination filter kept from a destination.
    public internal(set) var droppedByFilter: [Drop: Int] = [:]
    /// Events that a destination filter changed for a destination. A later rule may have dropped the event.
    public internal(set) var changedByFilter: [Drop: Int] = [:]
    /// Events that a destination did not get because settings or the event itself do not enable it.
    public internal(set) var notEnabled: [String: Int] = [:]
    /// Events that a device-mode destination did not get because its queue was full, by its key.
    public internal(set) var lostByDestination: [String: Int] = [:]
    /// Events that could not be stored or processed, by reason.
    public internal(set) var lost: [String: Int] = [:]
    /// Events that were deleted before a server had them: by `Analytics.purgeStorage()`, or because the user refused.
    public internal(set) var deleted = 0
    /// Events that a server confirmed.
    public internal(set) var uploaded = 0
    /// Events that the server refused for good. They are on disk as dead letters.
    public internal(set) var deadLettered = 0
}
