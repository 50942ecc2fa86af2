import CKafka
package import WorkspaceServer

/// Looks at the topic of a log, and changes nothing.
package enum KafkaLook {
    /// - Returns: also when nobody answers; `failure` says so then.
    static func facts(_ address: KafkaAddress, partitions: Int) async -> KafkaFacts {
        // Since 2.3.0.
        let knowsIds = rd_kafka_version() >= 0x0203_00ff
        let empty = KafkaFacts(topic: address.topic, wanted: partitions, knowsIds: knowsIds)
        do {
            let topic = KafkaTopic(client: try KafkaLog.consumer(address), name: address.topic)
            return try await KafkaCall.run {
                var facts = empty
                facts.partitions = try topic.partitions()
                if facts.partitions != nil { facts.settings = try topic.settings() }
                return facts
            }
        } catch {
            var facts = empty
            facts.failure = "\(error)"
            return facts
        }
    }

    /// What is to be said about the log of a cluster that is in Kafka.
    /// - Parameter partitions: how many the log has.
    package static func findings(_ address: KafkaAddress, partitions: Int) async -> [CheckFinding] {
        KafkaCheck.findings(await facts(address, partitions: partitions))
    }
}
