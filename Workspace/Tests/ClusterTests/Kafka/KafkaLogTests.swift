import CKafka
import ClusterTestKit
import Testing

@testable import ClusterKafka
@testable import WorkspaceServer

@Suite("Kafka keeps to the contract of logs", .serialized) struct KafkaContractTests {
    /// The brokers in the process do not know the request that trims.
    static let rules = EventLogContract.Rule.allCases.filter { $0 != .trimmedRecordsAreRefused }

    @Test("The log in Kafka obeys the rules of the contract", arguments: rules)
    func keepsTo(_ rule: EventLogContract.Rule) async throws {
        let brokers = try MockBrokers(partitions: 2)
        let log = try brokers.log()
        try await EventLogContract(log).check(rule)
        await log.close()
    }
}

@Suite("The log in Kafka", .serialized, .timeLimit(.minutes(3))) struct KafkaLogTests {
    @Test(
        "An append that brokers refuse for now is sent again, and stored once",
        arguments: [
            RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS, RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION,
            RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT, RD_KAFKA_RESP_ERR__TRANSPORT,
        ])
    func passingErrors(_ error: rd_kafka_resp_err_t) async throws {
        let brokers = try MockBrokers(partitions: 1)
        let log = try brokers.log()
        try await log.append([1], id: "first", to: 0)
        brokers.fail(.produce, [error, error])
        #expect(try await log.append([2], id: "second", to: 0) == 2)
        #expect(try await all(log).map(\.bytes) == [[1], [2]])
        await log.close()
    }

    @Test("While the in-sync replicas are too few, an append fails in time") func tooFewReplicas() async throws {
        let brokers = try MockBrokers(partitions: 1)
        let log = try brokers.log(patience: .seconds(2))
        brokers.fail(.produce, Array(repeating: RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS, count: 1_000))
        let error = await #expect(throws: LogError.self) { try await log.append([1], id: "one", to: 0) }
        #expect(try #require(error).isPassing)
        #expect(try await log.standing(of: 0).last == 0)
        await log.close()
    }

    @Test("No acknowledged record is lost, and records stay in order, while brokers go away and leaders change")
    func brokersGoAway() async throws {
        let brokers = try MockBrokers(partitions: 1)
        let log = try brokers.log(patience: .seconds(60))
        brokers.lead(0, by: 1)
        var acknowledged: [UInt64: String] = [:]
        for round in 0..<6 {
            let broker = Int32(round % 3) + 1
            async let appended = append(round * 50..<round * 50 + 50, to: log)
            brokers.stop(broker)
            brokers.lead(0, by: broker % 3 + 1)
            acknowledged.merge(try await appended) { $1 }
            brokers.start(broker)
        }
        #expect(acknowledged.count == 300)
        let records = try await all(log)
        #expect(records.map(\.place) == (1...UInt64(records.count)).map { $0 })
        let found = Dictionary(
            uniqueKeysWithValues: records.map { ($0.place, String(decoding: $0.bytes, as: UTF8.self)) })
        for (place, text) in acknowledged { #expect(found[place] == text) }
        await log.close()
    }

    @Test("While all brokers are away, every call fails in time; afterwards the log goes on") func allAway()
        async throws
    {
        let brokers = try MockBrokers(partitions: 1)
        let log = try brokers.log(patience: .seconds(2))
        try await log.append([1], id: "before", to: 0)
        #expect(try await all(log).count == 1)
        brokers.stop()
        await #expect(throws: LogError.self) { try await log.append([2], id: "meanwhile", to: 0) }
        await #expect(throws: LogError.self) { try await log.standing(of: 0) }
        // What is at the end is known.
        #expect(try await log.read(0, from: 2, atMost: 1, bytes: 1_000).isEmpty)
        let other = try brokers.log()
        await #expect(throws: LogError.self) { try await other.read(0, from: 1, atMost: 1, bytes: 1_000) }
        brokers.start()
        let patient = try brokers.log(patience: .seconds(60))
        #expect(try await patient.append([3], id: "after", to: 0) == 2)
        #expect(try await all(patient).map(\.bytes) == [[1], [3]])
        for log in [log, other, patient] { await log.close() }
    }

    @Test("A reader that was at the end sees what another process appends") func following() async throws {
        let brokers = try MockBrokers(partitions: 1)
        let (one, two) = (
            try brokers.log(),
            try brokers.log()
        )
        #expect(try await one.read(0, from: 1, atMost: 10, bytes: 1_000).isEmpty)
        try await two.append([7], id: "seven", to: 0)
        var found: [LogRecord] = []
        while found.isEmpty { found = try await one.read(0, from: 1, atMost: 10, bytes: 1_000) }
        #expect(found == [LogRecord(place: 1, bytes: [7])])
        for log in [one, two] { await log.close() }
    }

    @Test("A stretch that is read again has the same records, whole or in part") func readingAgain() async throws {
        let brokers = try MockBrokers(partitions: 1)
        let log = try brokers.log()
        for index in 0..<UInt8(20) { try await log.append([index], id: "i-\(index)", to: 0) }
        for _ in 0..<2 { #expect(try await all(log, from: 6, atMost: 10).map(\.bytes) == (5..<15).map { [$0] }) }
        #expect(try await all(log, from: 9, atMost: 2).map(\.bytes) == [[8], [9]])
        #expect(try await all(log, from: 16, atMost: 10).map(\.bytes) == (15..<20).map { [$0] })
        #expect(try await all(log, from: 2, atMost: 3).map(\.bytes) == [[1], [2], [3]])
        await log.close()
    }

    @Test("Records that were read last are read again without the brokers, within the bounds of the call")
    func readingLastAgain() async throws {
        let brokers = try MockBrokers(partitions: 1)
        let log = try brokers.log()
        #expect(try await append(0..<40, to: log).count == 40)
        var (last, next): ([LogRecord], UInt64) = ([], 1)
        while next <= 40 {
            last = try await log.read(0, from: next, atMost: 100, bytes: 1 << 20)
            next += UInt64(last.count)
        }
        brokers.stop()
        for (index, record) in last.enumerated() {
            let rest = Array(last[index...])
            #expect(try await log.read(0, from: record.place, atMost: 100, bytes: 1 << 20) == rest)
            #expect(try await log.read(0, from: record.place, atMost: 2, bytes: 1 << 20) == Array(rest.prefix(2)))
            #expect(try await log.read(0, from: record.place, atMost: 100, bytes: 1) == [record])
        }
        await log.close()
    }

    @Test("Two readers of one partition at a time each get all records") func twoReaders() async throws {
        let brokers = try MockBrokers(partitions: 1)
        let log = try brokers.log()
        for index in 0..<UInt8(40) { try await log.append([index], id: "i-\(index)", to: 0) }
        async let first = all(log, from: 1, atMost: 40)
        async let second = all(log, from: 21, atMost: 20)
        #expect(try await first.map(\.bytes) == (0..<40).map { [$0] })
        #expect(try await second.map(\.bytes) == (20..<40).map { [$0] })
        await log.close()
    }

    @Test("A producer that can send no more is replaced") func fatalError() async throws {
        let brokers = try MockBrokers(partitions: 1)
        let log = try brokers.log()
        try await log.append([1], id: "one", to: 0)
        let client = try #require(log.producer.client)
        rd_kafka_test_fatal_error(client.handle, RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER, "a test")
        #expect(try await log.append([2], id: "two", to: 0) == 2)
        await log.close()
    }

    @Test("The largest record is taken, and read whole") func largest() async throws {
        let brokers = try MockBrokers(partitions: 1)
        let log = try brokers.log()
        let record = (0..<ClusterRecord.mostBytes).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try await log.append(record, id: "largest", to: 0) == 1)
        #expect(try await all(log).map(\.bytes) == [record])
        await log.close()
    }

    @Test("A record that is too large is refused for good") func tooLarge() async throws {
        let brokers = try MockBrokers(partitions: 1)
        let log = try brokers.log()
        let record = [UInt8](repeating: 1, count: KafkaTopic.mostBytes + 1)
        let error = await #expect(throws: LogError.self) { try await log.append(record, id: "large", to: 0) }
        #expect(!(try #require(error).isPassing))
        await log.close()
    }

    /// The brokers in the process keep 5 MB of a partition.
    @Test("Records that the brokers have removed are refused, with the first one that is there") func trimmed()
        async throws
    {
        let brokers = try MockBrokers(partitions: 1)
        let log = try brokers.log()
        for index in 0..<8 { try await log.append([UInt8](repeating: 1, count: 1 << 20), id: "\(index)", to: 0) }
        let standing = try await log.standing(of: 0)
        try #require(standing.first > 1)
        #expect(standing.last == 8)
        await #expect(throws: LogError.trimmed(first: standing.first, asked: 1)) { try await all(log) }
        #expect(try await all(log, from: standing.first).map(\.place) == Array(standing.first...8))
        await log.close()
    }

    @Test("Brokers that cannot trim say so, and nothing is removed") func noTrimming() async throws {
        let brokers = try MockBrokers(partitions: 1)
        let log = try brokers.log()
        try await log.append([1], id: "one", to: 0)
        await #expect(throws: LogError.self) { try await log.trim(0, through: 1) }
        #expect(try await all(log).count == 1)
        await log.close()
    }

    @Test("Another cluster counts as another log") func otherCluster() async throws {
        let (one, two) = (try MockBrokers(partitions: 1), try MockBrokers(partitions: 1))
        let first = try one.log()
        let second = try two.log()
        let incarnation = try await first.standing(of: 0).incarnation
        #expect(try await first.standing(of: 0).incarnation == incarnation)
        #expect(try await second.standing(of: 0).incarnation != incarnation)
        for log in [first, second] { await log.close() }
    }

    @Test("A log that was closed fails in time") func closed() async throws {
        let brokers = try MockBrokers(partitions: 1)
        let log = try brokers.log()
        brokers.stop()
        let waiting = Task { try await log.append([1], id: "waits", to: 0) }
        await log.close()
        await #expect(throws: LogError.self) { try await waiting.value }
        await #expect(throws: LogError.self) { try await log.append([2], id: "late", to: 0) }
    }

    @Test("Settings that nobody says are not safe") func unseenSettings() async throws {
        let brokers = try MockBrokers(partitions: 1)
        let error = await #expect(throws: LogError.self) { try await KafkaLog.open(brokers.address, partitions: 1) }
        #expect("\(try #require(error))".contains("settings"))
    }

    // MARK: Helpers

    /// Appends records eight at a time.
    /// - Returns: their places.
    private func append(_ numbers: Range<Int>, to log: KafkaLog) async throws -> [UInt64: String] {
        try await withThrowingTaskGroup(of: [UInt64: String].self) { group in
            for first in 0..<8 {
                group.addTask {
                    var places: [UInt64: String] = [:]
                    for number in numbers where number % 8 == first {
                        let text = "record \(number)"
                        places[try await log.append(Array(text.utf8), id: "id-\(number)", to: 0)] = text
                    }
                    return places
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1) { $1 } }
        }
    }

    private func all(_ log: KafkaLog, from place: UInt64 = 1, atMost count: Int = 1_000) async throws -> [LogRecord] {
        var records: [LogRecord] = []
        while records.count < count {
            let more = try await log.read(
                0, from: place + UInt64(records.count), atMost: count - records.count, bytes: 1 << 24)
            if more.isEmpty { break }
            records += more
        }
        return records
    }
}
