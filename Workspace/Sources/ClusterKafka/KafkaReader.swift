import CKafka
import WorkspaceServer

/// Reads one partition, without a group of consumers: the place is the caller's.
///
/// The library reads in advance, and throws that away when it is asked for a place that does not follow. The owner of a partition may store fewer
/// records than it read, and then asks for the others again, so what was read last is kept.
actor KafkaReader {
    private enum Step {
        case records([LogRecord])
        case end
        case waiting
    }

    private let topic: KafkaTopic
    /// Brokers answer a client's requests in order, and hold a request for records back until there are some. So nothing else
    /// is asked with this one.
    private let client: KafkaClient
    private let partition: Int
    private let patience: Duration
    /// The records that were read last, in order; `next` follows the last one.
    private var kept: [LogRecord] = []
    /// The place that the library delivers next; nil when it does not read.
    private var next: UInt64?
    /// The library has said that there is nothing at `next`.
    private var isAtEnd = false
    /// Two reads at a time would move the reader to and fro, and get nothing.
    private let turns = Turns()
    private var usedAt = ContinuousClock.now
    /// Stops reading when nobody asks any more: another process has the partition then.
    private var idling: Task<Void, any Error>?

    /// - Parameters:
    ///   - topic: answers where the partition begins and ends.
    ///   - client: reads.
    ///   - patience: how long a call waits for the library to say something.
    init(_ topic: KafkaTopic, _ client: KafkaClient, _ partition: Int, patience: Duration) {
        (self.topic, self.client, self.partition, self.patience) = (topic, client, partition, patience)
    }

    /// See `EventLog.read`. One call reads at a time.
    func read(from place: UInt64, atMost count: Int, bytes: Int) async throws -> [LogRecord] {
        try await turns.run { try await readInTurn(from: place, atMost: count, bytes: bytes) }
    }

    private func readInTurn(from place: UInt64, atMost count: Int, bytes: Int) async throws -> [LogRecord] {
        try Task.checkCancellation()
        let end = ContinuousClock.now + patience
        stopWhenIdle()
        while ContinuousClock.now < end {
            usedAt = .now
            if !has(place) {
                try await check(place, before: end)
                try start(at: place)
            }
            switch try step(place, count, bytes) {
            case .records(let records): return records
            case .end: return []
            case .waiting: try await Task.sleep(for: .milliseconds(5))
            }
        }
        throw LogError.unavailable("partition \(partition) of \(topic.name) was not read in time")
    }

    /// Ends reading; the next call starts it again.
    func stop() {
        if next != nil { rd_kafka_consume_stop(client.topic, Int32(partition)) }
        (kept, next, isAtEnd) = ([], nil, false)
    }

    private func stopWhenIdle() {
        guard idling == nil else { return }
        idling = Task { [weak self] in
            repeat { try await Task.sleep(for: .seconds(10)) } while await self?.isUsed() ?? false
        }
    }

    private func isUsed() -> Bool {
        guard ContinuousClock.now - usedAt > .seconds(30) else { return true }
        stop()
        idling = nil
        return false
    }

    private func has(_ place: UInt64) -> Bool {
        guard let next else { return false }
        return place <= next && place >= kept.first?.place ?? next
    }

    /// Brokers say only that an offset is out of range.
    private func check(_ place: UInt64, before end: ContinuousClock.Instant) async throws {
        let bounds = try await KafkaCall.run(within: end - .now) { [topic, partition] in
            try topic.bounds(of: partition)
        }
        let (first, last) = (UInt64(bounds.low) + 1, UInt64(bounds.high))
        guard place <= last + 1 else { throw LogError.wentBack(last: last, known: place - 1) }
        guard place >= first else { throw LogError.trimmed(first: first, asked: place) }
    }

    private func start(at place: UInt64) throws(LogError) {
        stop()
        guard place >= 1 else { throw .trimmed(first: 1, asked: place) }
        guard rd_kafka_consume_start(client.topic, Int32(partition), Int64(place) - 1) == 0 else {
            throw KafkaFailure.error(rd_kafka_last_error(), "\(topic.name) \(partition) cannot be read")
        }
        next = place
    }

    private func step(_ place: UInt64, _ count: Int, _ bytes: Int) throws(LogError) -> Step {
        // The log was closed meanwhile.
        guard has(place), let next else { return .waiting }
        if place < next { return .records(Self.prefix(kept.drop { $0.place < place }, count, bytes)) }
        let records = try taken(count, bytes)
        guard records.isEmpty else {
            kept = records
            return .records(records)
        }
        return isAtEnd ? .end : .waiting
    }

    /// What the library has read in advance. A failure behind some records is met again by the next call.
    private func taken(_ count: Int, _ bytes: Int) throws(LogError) -> [LogRecord] {
        var (records, size): ([LogRecord], Int) = ([], 0)
        do throws(LogError) {
            while records.count < count, size < bytes, next != nil,
                let message = rd_kafka_consume(client.topic, Int32(partition), 0)
            {
                defer { rd_kafka_message_destroy(message) }
                guard let record = try record(message.pointee) else { continue }
                records.append(record)
                size += record.bytes.count
            }
        } catch {
            stop()
            if records.isEmpty { throw error }
        }
        return records
    }

    /// The next record; nil when the library says that the end is reached.
    private func record(_ message: rd_kafka_message_t) throws(LogError) -> LogRecord? {
        guard message.err != RD_KAFKA_RESP_ERR__PARTITION_EOF else {
            isAtEnd = true
            return nil
        }
        guard message.err == RD_KAFKA_RESP_ERR_NO_ERROR else {
            throw KafkaFailure.error(message.err, "\(topic.name) \(partition) cannot be read")
        }
        guard message.offset >= 0, let next, UInt64(message.offset) + 1 == next else {
            // Nothing is skipped: a topic that nothing but this program writes to has no gaps.
            throw .broken(
                "\(topic.name) \(partition) has the offset \(message.offset), where \((next ?? 1) - 1) is expected")
        }
        (self.next, isAtEnd) = (next + 1, false)
        let bytes = UnsafeRawBufferPointer(start: message.payload, count: message.payload == nil ? 0 : message.len)
        return LogRecord(place: next, bytes: Array(bytes))
    }

    private static func prefix(_ records: ArraySlice<LogRecord>, _ count: Int, _ bytes: Int) -> [LogRecord] {
        var size = 0
        return records.prefix(count).prefix { record in
            defer { size += record.bytes.count }
            return size < bytes
        }.map { $0 }
    }
}
