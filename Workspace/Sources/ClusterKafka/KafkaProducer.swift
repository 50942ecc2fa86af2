import CKafka
import Foundation
import Synchronization
import WorkspaceServer

/// Appends records to the partitions of a topic, and waits for their acknowledgements.
///
/// The library sends a record again until it is acknowledged or the time is over; brokers recognise such repetitions, as long
/// as the process lives.
final class KafkaProducer: Sendable {
    private typealias Answers = AsyncStream<Result<UInt64, LogError>>

    private struct Key: Hashable {
        let partition: Int
        let id: String
    }

    private struct State {
        /// Nil when it was closed.
        var client: KafkaClient?
        var waiting: [Key: [Answers.Continuation]] = [:]
        /// The newest ids of each partition.
        var known: [Int: KnownIds] = [:]
    }

    private let state = Mutex(State())
    private let address: KafkaAddress
    private let patience: Duration

    /// - Parameter patience: how long the library goes on trying.
    init(_ address: KafkaAddress, patience: Duration) throws(LogError) {
        (self.address, self.patience) = (address, patience)
        let client = try Self.client(address, patience)
        state.withLock { $0.client = client }
    }

    private static func client(_ address: KafkaAddress, _ patience: Duration) throws(LogError) -> KafkaClient {
        try KafkaClient(
            .producer, address,
            [
                "enable.idempotence": "true", "acks": "all",
                "message.timeout.ms": "\(max(1, Int(patience / .milliseconds(1))))",
                "message.max.bytes": "\(KafkaTopic.mostBytes)", "queue.buffering.max.kbytes": "262144",
                "linger.ms": "2", "retry.backoff.ms": "50", "reconnect.backoff.max.ms": "1000",
                "topic.metadata.refresh.fast.interval.ms": "50",
            ])
    }

    /// - Returns: the place of the record.
    /// - Throws: `LogError`, after a bounded time.
    func append(_ record: [UInt8], id: String, to partition: Int) async throws -> UInt64 {
        let (answers, give) = Answers.makeStream()
        begin(record, Key(partition: partition, id: id), give)
        // The library reports in time. This is for one that does not.
        let limit = Task { [patience] in
            try await Task.sleep(for: patience + .seconds(5))
            give.finish()
        }
        defer { limit.cancel() }
        for await answer in answers { return try answer.get() }
        try Task.checkCancellation()
        throw LogError.unavailable("the record was not acknowledged in time")
    }

    /// What sends now; nil when it was closed.
    var client: KafkaClient? { state.withLock { $0.client } }

    /// Appends that wait fail.
    func close() { state.withLock { $0.client = nil } }

    /// Sends the record, unless it is on its way already or was acknowledged a moment ago.
    private func begin(_ record: [UInt8], _ key: Key, _ give: Answers.Continuation) {
        let failure: LogError? = state.withLock { state in
            if let place = state.known[key.partition]?[key.id] {
                give.yield(.success(place))
                return nil
            }
            if state.waiting[key] != nil {
                state.waiting[key]?.append(give)
                return nil
            }
            do throws(LogError) {
                try send(record, key, usable(&state))
            } catch {
                return error
            }
            state.waiting[key] = [give]
            return nil
        }
        if let failure { give.yield(.failure(failure)) }
    }

    /// The client, or another one when it can send no more.
    private func usable(_ state: inout State) throws(LogError) -> KafkaClient {
        guard let client = state.client else { throw .unavailable("the log was closed") }
        guard rd_kafka_fatal_error(client.handle, nil, 0) != RD_KAFKA_RESP_ERR_NO_ERROR else { return client }
        let other = try Self.client(address, patience)
        state.client = other
        return other
    }

    private func send(_ record: [UInt8], _ key: Key, _ client: KafkaClient) throws(LogError) {
        let delivery = Unmanaged.passRetained(KafkaDelivery { [weak self] in self?.finish(key, $0) })
        let failed = record.withUnsafeBytes { bytes in
            rd_kafka_produce(
                client.topic, Int32(key.partition), RD_KAFKA_MSG_F_COPY,
                UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, nil, 0, delivery.toOpaque())
        }
        guard failed != 0 else { return }
        let code = rd_kafka_last_error()
        delivery.release()
        throw KafkaFailure.error(code, "the record cannot be sent")
    }

    private func finish(_ key: Key, _ result: Result<UInt64, LogError>) {
        let waiting = state.withLock { state in
            if case .success(let place) = result { state.known[key.partition, default: KnownIds()].add(key.id, place) }
            return state.waiting.removeValue(forKey: key) ?? []
        }
        for give in waiting { give.yield(result) }
    }
}
