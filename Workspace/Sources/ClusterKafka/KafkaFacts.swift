/// What was seen of a topic.
struct KafkaFacts: Sendable, Equatable {
    struct Partition: Sendable, Equatable {
        let number: Int
        /// Brokers that keep the partition.
        let replicas: Int
        /// Those that have all of it now.
        let inSync: Int
    }

    let topic: String
    /// How many partitions the topic has to have.
    let wanted: Int
    /// Nil when there is no such topic.
    var partitions: [Partition]?
    /// By name, also those that come from the brokers.
    var settings: [String: String] = [:]
    /// Whether the library can ask for the id of a topic.
    var knowsIds: Bool
    /// Why the topic was not seen; nil when it was.
    var failure: String?
}
