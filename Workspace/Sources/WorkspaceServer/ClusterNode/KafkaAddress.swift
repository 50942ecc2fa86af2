/// Where a log in Kafka is.
package struct KafkaAddress: Sendable, Equatable {
    /// Hosts with ports; not all brokers have to be named.
    package let brokers: [String]
    /// The topic, which has a partition for each of the log's.
    package let topic: String

    package init(brokers: [String], topic: String) { (self.brokers, self.topic) = (brokers, topic) }
}
