package import WorkspaceServer

/// The log of a cluster: a topic of Kafka, with a partition for each of the log's.
///
/// The offset n of Kafka is the place n + 1. Nothing but this program may write to the topic, and nothing may compact it, so
/// there are no gaps. Brokers acknowledge a record when all replicas in sync have it in memory; they write it to the disk
/// later.
///
/// An append that was not acknowledged in time may be in the log all the same, and an append that is repeated after such an
/// error, or by another process, may then be a second record. No part of a cluster repeats an append: it answers 503, the
/// client sends its events again, and the owner of the partition knows them by their ids.
package final class KafkaLog: EventLog {
    package let partitions: Int
    let producer: KafkaProducer
    private let topic: KafkaTopic
    private let readers: [KafkaReader]

    /// Uses a topic that is there, as it is. `open` looks at it first.
    /// - Parameters:
    ///   - partitions: as many as the topic has.
    ///   - patience: how long an append goes on trying.
    ///   - readPatience: how long a read waits. The owner of a partition has to show in between that it lives.
    ///   - comparesIds: whether a topic that was made again counts as another log. Brokers have to have a controller for that.
    /// - Throws: `LogError.refused` when the library does not take a setting.
    init(
        _ address: KafkaAddress, partitions: Int, patience: Duration = .seconds(20),
        readPatience: Duration = .milliseconds(1_500), comparesIds: Bool = true
    ) throws(LogError) {
        self.partitions = partitions
        producer = try KafkaProducer(address, patience: patience)
        topic = KafkaTopic(client: try Self.consumer(address), name: address.topic, comparesIds: comparesIds)
        let client = try Self.consumer(address)
        readers = (0..<partitions).map { [topic] in KafkaReader(topic, client, $0, patience: readPatience) }
    }

    /// Makes the topic when it is missing, and looks whether acknowledged records are safe in it.
    /// - Parameter partitions: as many as the topic has, or gets.
    /// - Throws: `LogError`: `refused` with the names of settings that are not safe, `unavailable` when these cannot be read.
    package static func open(
        _ address: KafkaAddress, partitions: Int, patience: Duration = .seconds(20)
    ) async throws -> KafkaLog {
        let topic = KafkaTopic(client: try consumer(address), name: address.topic)
        try await KafkaCall.run {
            if try topic.partitions() == nil {
                try topic.make(partitions: partitions, replicas: 3, settings: KafkaCheck.settings)
            }
        }
        let facts = await KafkaLook.facts(address, partitions: partitions)
        if let failure = facts.failure { throw LogError.unavailable(failure) }
        let wrong = KafkaCheck.findings(facts).filter { $0.verdict == .wrong }
        guard wrong.isEmpty else { throw LogError.refused(wrong.map(\.sentence).joined(separator: ". ")) }
        return try KafkaLog(address, partitions: partitions, patience: patience)
    }

    /// A client that reads and asks.
    static func consumer(_ address: KafkaAddress) throws(LogError) -> KafkaClient {
        try KafkaClient(
            .consumer, address,
            [
                "enable.partition.eof": "true", "auto.offset.reset": "error", "check.crcs": "true",
                // Also the records of a writer that is none of this program, so that they are noticed.
                "isolation.level": "read_uncommitted", "allow.auto.create.topics": "false",
                // Without these, the library asks for the end of a partition until somebody answers.
                "retries": "2", "socket.timeout.ms": "3000",
                "fetch.wait.max.ms": "100", "queued.max.messages.kbytes": "16384", "fetch.error.backoff.ms": "50",
                "reconnect.backoff.max.ms": "1000", "topic.metadata.refresh.fast.interval.ms": "50",
            ])
    }

    @discardableResult
    package func append(_ record: [UInt8], id: String, to partition: Int) async throws -> UInt64 {
        try await producer.append(record, id: id, to: partition)
    }

    package func read(
        _ partition: Int, from place: UInt64, atMost count: Int, bytes: Int
    ) async throws -> [LogRecord] {
        try await readers[partition].read(from: place, atMost: count, bytes: bytes)
    }

    package func standing(of partition: Int) async throws -> LogStanding {
        try await KafkaCall.run(within: .seconds(5)) { [topic] in try topic.standing(of: partition) }
    }

    package func trim(_ partition: Int, through place: UInt64) async throws {
        try await KafkaCall.run { [topic] in try topic.trim(partition, through: place) }
    }

    package func close() async {
        producer.close()
        for reader in readers { await reader.stop() }
    }
}
