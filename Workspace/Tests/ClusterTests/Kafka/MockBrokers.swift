import CKafka
import Foundation
import Testing

@testable import ClusterKafka
@testable import WorkspaceServer

/// Brokers in this process that speak the protocol of Kafka and have no disks. The library of Kafka brings them along.
final class MockBrokers: Sendable {
    // The library may be called from any thread.
    nonisolated(unsafe) private let client: OpaquePointer
    // As `client`.
    nonisolated(unsafe) private let cluster: OpaquePointer
    let address: KafkaAddress
    private let partitions: Int

    /// - Parameter partitions: those of the topic.
    init(partitions: Int, topic: String = "events") throws {
        self.partitions = partitions
        let configuration = rd_kafka_conf_new()
        rd_kafka_conf_set(configuration, "test.mock.num.brokers", "3", nil, 0)
        rd_kafka_conf_set_log_cb(configuration) { _, _, _, _ in }
        client = try #require(rd_kafka_new(RD_KAFKA_PRODUCER, configuration, nil, 0))
        cluster = try #require(rd_kafka_handle_mock_cluster(client))
        let hosts = String(cString: try #require(rd_kafka_mock_cluster_bootstraps(cluster)))
        address = KafkaAddress(brokers: hosts.split(separator: ",").map(String.init), topic: topic)
        #expect(
            rd_kafka_mock_topic_create(cluster, topic, Int32(partitions), 3) == RD_KAFKA_RESP_ERR_NO_ERROR)
    }

    deinit { rd_kafka_destroy(client) }

    /// A log in the topic. These brokers have no controller, which says the id of a topic.
    func log(patience: Duration = .seconds(20), readPatience: Duration = .seconds(10)) throws -> KafkaLog {
        try KafkaLog(
            address, partitions: partitions, patience: patience, readPatience: readPatience, comparesIds: false)
    }

    /// All brokers are away.
    func stop() { rd_kafka_mock_broker_set_down(cluster, -1) }

    func start() { rd_kafka_mock_broker_set_up(cluster, -1) }

    /// One broker is away, and leads what it led.
    func stop(_ broker: Int32) { rd_kafka_mock_broker_set_down(cluster, broker) }

    func start(_ broker: Int32) { rd_kafka_mock_broker_set_up(cluster, broker) }

    func lead(_ partition: Int, by broker: Int32) {
        rd_kafka_mock_partition_set_leader(cluster, address.topic, Int32(partition), broker)
    }

    /// Answers to the next requests of a kind.
    func fail(_ request: Request, _ errors: [rd_kafka_resp_err_t]) {
        rd_kafka_mock_push_request_errors_array(cluster, request.rawValue, errors.count, errors)
    }

    /// Requests of the protocol, by their numbers there.
    enum Request: Int16 {
        case produce = 0
        case fetch = 1
        case listOffsets = 2
        case metadata = 3
    }
}
