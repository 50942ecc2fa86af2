import ClusterTestKit
import Testing
import TributaryJSON

@testable import ClusterNATS
@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("JetStream keeps to the contract of logs", JetStreams.isInstalled, .serialized) struct JetStreamContractTests {
    @Test(
        "The log in JetStream obeys the rules of the contract",
        arguments: EventLogContract.Rule.allCases)
    func keepsTo(_ rule: EventLogContract.Rule) async throws {
        let connection = try await JetStreams.connection()
        defer { connection.close() }
        try await EventLogContract(JetStreamLog(connection, name: JetStreams.name(), partitions: 2, bytes: 64 << 20))
            .check(rule)
    }
}

@Suite("The log of health reports in JetStream", JetStreams.isInstalled, .serialized) struct JetStreamHealthLogTests {
    private func log(_ connection: NATSConnection, partitions: Int = 1, bytes: Int64 = 64 << 20) async throws
        -> JetStreamLog
    {
        try await JetStreamLog(
            connection, name: JetStreams.name(), partitions: partitions, bytes: bytes, days: JetStreamLog.healthDays)
    }

    @Test("It obeys the rules of the contract", arguments: EventLogContract.Rule.allCases)
    func keepsTo(_ rule: EventLogContract.Rule) async throws {
        let connection = try await JetStreams.connection()
        defer { connection.close() }
        try await EventLogContract(try await log(connection, partitions: 2)).check(rule)
    }

    @Test("At its size it drops the oldest records, and refuses none") func full() async throws {
        let connection = try await JetStreams.connection()
        defer { connection.close() }
        let log = try await log(connection, bytes: 64 << 10)
        for index in 0..<100 {
            try await log.append([UInt8](repeating: 7, count: 2_000), id: "r-\(index)", to: 0)
        }
        let standing = try await log.standing(of: 0)
        #expect(standing.last == 100)
        #expect((60...99).contains(standing.first))
        await #expect(throws: LogError.trimmed(first: standing.first, asked: 1)) {
            _ = try await log.read(0, from: 1, atMost: 1, bytes: 1)
        }
    }
}

@Suite("The log in JetStream", JetStreams.isInstalled, .serialized) struct JetStreamLogTests {
    @Test(
        "Requests fail while a server takes no bytes, and a node does not hang until the server goes on",
        .timeLimit(.minutes(30)))
    func serverThatTakesNothing() async throws {
        let engines = try await NATSEngines()
        let connection = try NATSConnection(servers: [engines.addresses[0]], name: "test")
        defer { connection.close() }
        engines.servers[0].suspend(true)
        // Only a connection that hangs needs this. The test ends and fails then.
        let rescue = Task {
            try await Task.sleep(for: .seconds(60))
            engines.servers[0].suspend(false)
        }
        // More than the system keeps for a connection.
        let record = [UInt8](repeating: 7, count: 7 << 20)
        var failed = 0
        for _ in 0..<16 {
            do {
                // A client that gives up its server goes to another one of the cluster, which answers.
                _ = try await connection.ask("nothing", record, within: .milliseconds(1))
            } catch is LogError {
                failed += 1
            }
        }
        #expect(failed > 0)
        rescue.cancel()
        await #expect(throws: CancellationError.self) { try await rescue.value }
        engines.servers[0].suspend(false)
        // The connection comes back by itself.
        while (try? await connection.ask("$JS.API.INFO")) == nil { await Task.yield() }
    }

    @Test("No acknowledged record is lost or doubled when the leader is killed") func killedServer()
        async throws
    {
        let engines = try await NATSEngines()
        let connection = try JetStreams.connection(to: engines)
        defer { connection.close() }
        let log = try await JetStreamLog(connection, name: "LOG", partitions: 1, bytes: 64 << 20)
        // The test appends more records while each server in turn is killed and started again.
        var count = 0
        for server in engines.servers {
            let records = count..<count + 150
            count += 150
            async let appended: Void = append(records, to: log)
            server.kill()
            try await appended
            try server.start()
        }
        var found: [String] = []
        while found.count < count {
            let more: [LogRecord]
            do {
                more = try await log.read(0, from: UInt64(found.count) + 1, atMost: 1_000, bytes: 1 << 20)
            } catch LogError.unavailable {
                // The servers are choosing who leads.
                continue
            }
            if more.isEmpty, try await log.standing(of: 0).last == UInt64(found.count) { break }
            found += more.map { String(decoding: $0.bytes, as: UTF8.self) }
        }
        #expect(found.count == count)
        #expect(Set(found) == Set((0..<count).map { "record \($0)" }))
    }

    /// Appends sixteen records at a time, and repeats each record until the log acknowledges it.
    private func append(_ numbers: Range<Int>, to log: JetStreamLog) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for first in 0..<16 {
                group.addTask {
                    for number in numbers where number % 16 == first {
                        while true {
                            do {
                                try await log.append(Array("record \(number)".utf8), id: "id-\(number)", to: 0)
                                break
                            } catch LogError.unavailable {}
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("An append without a majority fails in time, and the repeated append is stored once") func noMajority()
        async throws
    {
        let engines = try await NATSEngines()
        let connection = try JetStreams.connection(to: engines)
        defer { connection.close() }
        let hasty = try await JetStreamLog(
            connection, name: "LOG", partitions: 1, bytes: 64 << 20, patience: .seconds(1))
        engines.servers[1].kill()
        engines.servers[2].kill()
        await #expect(throws: LogError.self) { try await hasty.append([1], id: "one", to: 0) }
        try engines.servers[1].start()
        try engines.servers[2].start()
        let log = try await JetStreamLog(
            connection, name: "LOG", partitions: 1, bytes: 64 << 20, patience: .seconds(60))
        #expect(try await log.append([1], id: "one", to: 0) == 1)
        #expect(try await log.standing(of: 0).last == 1)
    }

    @Test("A stream with settings that are not safe is refused") func unsafeStream() async throws {
        let connection = try await JetStreams.connection()
        defer { connection.close() }
        let name = JetStreams.name()
        let request: JSON = [
            "name": .string("\(name)_0"), "subjects": [.string("\(name).0")], "storage": "memory", "num_replicas": 1,
        ]
        _ = try await connection.ask("$JS.API.STREAM.CREATE.\(name)_0", request.encoded(), within: .seconds(10))
        let error = await #expect(throws: LogError.self) {
            _ = try await JetStreamLog(connection, name: name, partitions: 1, bytes: 64 << 20)
        }
        #expect("\(try #require(error))".contains("\(name)_0 has"))
    }

    @Test("A stream that was made again counts as another log") func newStream() async throws {
        let connection = try await JetStreams.connection()
        defer { connection.close() }
        let name = JetStreams.name()
        let log = try await JetStreamLog(connection, name: name, partitions: 1, bytes: 64 << 20)
        for index in 0..<3 { try await log.append([1], id: "a-\(index)", to: 0) }
        let before = try await log.standing(of: 0)
        _ = try await connection.ask("$JS.API.STREAM.DELETE.\(name)_0").result()
        let again = try await JetStreamLog(connection, name: name, partitions: 1, bytes: 64 << 20)
        try await again.append([1], id: "b", to: 0)
        #expect(try await again.standing(of: 0).incarnation != before.incarnation)
        await #expect(throws: LogError.wentBack(last: 1, known: 3)) {
            _ = try await again.read(0, from: 4, atMost: 1, bytes: 1)
        }
    }
}
