import CKafka
import Foundation
import WorkspaceServer

/// Asks brokers about a topic, and makes and trims it. Calls block for some seconds at most.
struct KafkaTopic: Sendable {
    /// Bytes that a batch with one record has at most: the largest record, and what the protocol adds.
    package static let mostBytes = ClusterRecord.mostBytes + 4_096

    let client: KafkaClient
    let name: String
    /// Whether the id of the topic is a part of its incarnation, if the library can ask for it.
    var comparesIds = true

    // MARK: Standing

    /// Codes while the leader of a partition changes.
    private static let codesOfNewLeaders = [
        RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION, RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE,
    ]

    func standing(of partition: Int) throws(LogError) -> LogStanding {
        let bounds = try bounds(of: partition)
        return LogStanding(
            incarnation: try incarnation(), first: UInt64(bounds.low) + 1, last: UInt64(bounds.high))
    }

    /// The offsets of the first record and of the next one.
    func bounds(of partition: Int) throws(LogError) -> (low: Int64, high: Int64) {
        var (low, high): (Int64, Int64) = (0, 0)
        let end = ContinuousClock.now + .milliseconds(Int(KafkaCall.milliseconds))
        func ask() -> rd_kafka_resp_err_t {
            rd_kafka_query_watermark_offsets(
                client.handle, name, Int32(partition), &low, &high, KafkaCall.milliseconds)
        }
        var code = ask()
        // The library asks who leads the partition when it hears that it asked the wrong broker, and does not ask that one.
        while Self.codesOfNewLeaders.contains(code), ContinuousClock.now < end {
            Thread.sleep(forTimeInterval: 0.05)
            code = ask()
        }
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR else {
            throw KafkaFailure.error(code, "the end of \(name) \(partition) is not known")
        }
        guard low >= 0, high >= low else { throw .broken("\(name) \(partition) goes from \(low) to \(high)") }
        return (low, high)
    }

    /// The cluster, and the id of the topic when the library can ask for it.
    private func incarnation() throws(LogError) -> String {
        guard let text = rd_kafka_clusterid(client.handle, KafkaCall.milliseconds) else {
            throw .unavailable("the brokers do not say which cluster they are")
        }
        defer { rd_kafka_mem_free(client.handle, text) }
        let cluster = String(cString: text)
        guard comparesIds else { return cluster }
        var id = [CChar](repeating: 0, count: 64)
        switch tributary_kafka_topic_id(client.handle, name, KafkaCall.milliseconds, &id, id.count) {
        case 0: return cluster
        case 1: return "\(cluster)/\(KafkaFailure.text(id))"
        default: throw .unavailable("the brokers do not say which topic \(name) is")
        }
    }

    // MARK: Changes

    /// Makes the topic unless it is there.
    func make(partitions: Int, replicas: Int, settings: [(name: String, value: String)]) throws(LogError) {
        var reason = [CChar](repeating: 0, count: 512)
        guard let topic = rd_kafka_NewTopic_new(name, Int32(partitions), Int32(replicas), &reason, reason.count) else {
            throw .refused(KafkaFailure.text(reason))
        }
        defer { rd_kafka_NewTopic_destroy(topic) }
        for (name, value) in settings { rd_kafka_NewTopic_set_config(topic, name, value) }
        try ask(RD_KAFKA_ADMIN_OP_CREATETOPICS, "make the topic \(name)") { options, queue in
            var topics: [OpaquePointer?] = [topic]
            rd_kafka_CreateTopics(client.handle, &topics, 1, options, queue)
        } answer: { event throws(LogError) in
            var count = 0
            guard let results = rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(event), &count)
            else { throw .broken("no answer to the making of \(name)") }
            for index in 0..<count {
                let code = rd_kafka_topic_result_error(results[index])
                guard code != RD_KAFKA_RESP_ERR_NO_ERROR, code != RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS else {
                    continue
                }
                throw KafkaFailure.error(code, "the topic \(name) cannot be made")
            }
        }
    }

    /// Removes the records up to a place.
    func trim(_ partition: Int, through place: UInt64) throws(LogError) {
        guard let offsets = rd_kafka_topic_partition_list_new(1) else { throw .broken("there is no memory") }
        defer { rd_kafka_topic_partition_list_destroy(offsets) }
        rd_kafka_topic_partition_list_add(offsets, name, Int32(partition)).pointee.offset = Int64(clamping: place)
        guard let records = rd_kafka_DeleteRecords_new(offsets) else { throw .broken("there is no memory") }
        defer { rd_kafka_DeleteRecords_destroy(records) }
        try ask(RD_KAFKA_ADMIN_OP_DELETERECORDS, "trim \(name) \(partition)") { options, queue in
            var all: [OpaquePointer?] = [records]
            rd_kafka_DeleteRecords(client.handle, &all, 1, options, queue)
        } answer: { event throws(LogError) in
            guard
                let result = rd_kafka_DeleteRecords_result_offsets(rd_kafka_event_DeleteRecords_result(event))?.pointee
            else { throw .broken("no answer to the trimming of \(name) \(partition)") }
            for index in 0..<Int(result.cnt) where result.elems[index].err != RD_KAFKA_RESP_ERR_NO_ERROR {
                throw KafkaFailure.error(result.elems[index].err, "\(name) \(partition) cannot be trimmed")
            }
        }
    }

    // MARK: Looking

    /// The replicas of each partition, by partition; nil when there is no such topic.
    func partitions() throws(LogError) -> [KafkaFacts.Partition]? {
        var answer: UnsafePointer<rd_kafka_metadata>?
        let code = rd_kafka_metadata(client.handle, 0, client.topic, &answer, KafkaCall.milliseconds)
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR, let answer else {
            throw KafkaFailure.error(code, "the brokers do not describe \(name)")
        }
        defer { rd_kafka_metadata_destroy(answer) }
        guard answer.pointee.topic_cnt == 1 else { return nil }
        let topic = answer.pointee.topics[0]
        if topic.err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART { return nil }
        guard topic.err == RD_KAFKA_RESP_ERR_NO_ERROR else {
            throw KafkaFailure.error(topic.err, "the brokers do not describe \(name)")
        }
        return (0..<Int(topic.partition_cnt)).map { index in
            let partition = topic.partitions[index]
            return KafkaFacts.Partition(
                number: Int(partition.id), replicas: Int(partition.replica_cnt), inSync: Int(partition.isr_cnt))
        }
    }

    /// The settings that hold for the topic, also those that it has from the brokers.
    func settings() throws(LogError) -> [String: String] {
        guard let resource = rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, name) else {
            throw .refused("\(name) cannot be the name of a topic")
        }
        defer { rd_kafka_ConfigResource_destroy(resource) }
        var settings: [String: String] = [:]
        try ask(RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, "read the settings of \(name)") { options, queue in
            var all: [OpaquePointer?] = [resource]
            rd_kafka_DescribeConfigs(client.handle, &all, 1, options, queue)
        } answer: { event throws(LogError) in
            var count = 0
            guard
                let found = rd_kafka_DescribeConfigs_result_resources(
                    rd_kafka_event_DescribeConfigs_result(event), &count), count == 1
            else { throw .broken("no answer about the settings of \(name)") }
            let code = rd_kafka_ConfigResource_error(found[0])
            guard code == RD_KAFKA_RESP_ERR_NO_ERROR else {
                throw KafkaFailure.error(code, "the settings of \(name) cannot be read")
            }
            let entries = rd_kafka_ConfigResource_configs(found[0], &count)
            for index in 0..<count {
                guard let entry = entries?[index], let name = rd_kafka_ConfigEntry_name(entry),
                    let value = rd_kafka_ConfigEntry_value(entry)
                else { continue }
                settings[String(cString: name)] = String(cString: value)
            }
        }
        return settings
    }

    /// Sends a request of an administrator and waits for its answer.
    private func ask(
        _ operation: rd_kafka_admin_op_t, _ what: String,
        send: (_ options: OpaquePointer, _ queue: OpaquePointer) -> Void,
        answer: (_ event: OpaquePointer) throws(LogError) -> Void
    ) throws(LogError) {
        guard let queue = rd_kafka_queue_new(client.handle),
            let options = rd_kafka_AdminOptions_new(client.handle, operation)
        else { throw .broken("there is no memory") }
        defer {
            rd_kafka_AdminOptions_destroy(options)
            rd_kafka_queue_destroy(queue)
        }
        rd_kafka_AdminOptions_set_request_timeout(options, KafkaCall.milliseconds, nil, 0)
        send(options, queue)
        guard let event = rd_kafka_queue_poll(queue, KafkaCall.milliseconds + 1_000) else {
            throw .unavailable("the brokers do not answer: \(what)")
        }
        defer { rd_kafka_event_destroy(event) }
        let code = rd_kafka_event_error(event)
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaFailure.error(code, what) }
        try answer(event)
    }
}
