import ClusterTestKit
import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The column store keeps to the contract of storages", ColumnStores.isInstalled, .serialized)
struct ClickHouseContractTests {
    @Test(
        "The column store obeys the rules of the contract",
        arguments: EventStorageContract.Rule.allCases)
    func keepsTo(_ rule: EventStorageContract.Rule) async throws {
        let storage = try await ClickHouseStorage(ColumnStores.settings())
        try await EventStorageContract(storage: storage).check(rule)
    }
}

@Suite("The column store", ColumnStores.isInstalled, .serialized) struct ClickHouseStorageTests {
    private func block(_ ids: [String], _ sequence: UInt64, userId: String? = "u") -> EventBlock {
        let rows = ids.enumerated().map { index, id in
            let event = StoredEvents.event(id, userId: userId)
            return EventBlock.Row(
                identity: event.identity(in: 1), number: Int64(sequence) * 100 + Int64(index),
                day: Day(milliseconds: StoredEvents.noon), receivedAt: StoredEvents.noon, content: .event(event))
        }
        let identity = EventBlock.Identity(epoch: 1, after: sequence - 1, through: sequence)
        return EventBlock(identity: identity, storedAt: StoredEvents.noon, rows: rows)
    }

    /// The number of rows of a replica, with the rows that wait to be merged.
    private func stored(_ storage: ClickHouseStorage, on host: Int) async throws -> UInt64 {
        try await storage.client.run(ClickHouseQuery("SYSTEM SYNC REPLICA \(storage.table)"), on: host)
        var answer = try await storage.client.read(
            ClickHouseQuery("SELECT count() FROM \(storage.table) WHERE kind != 0"), from: host)
        return try answer.number()
    }

    private func only(_ host: Int, of settings: ClickHouseSettings) async throws -> ClickHouseStorage {
        var settings = settings
        settings.addresses = [settings.addresses[host]]
        return try await ClickHouseStorage(settings)
    }

    @Test("A block that is given to another replica again is stored once on each") func repeatedBlock() async throws {
        let settings = try await ColumnStores.settings()
        let all = try await ClickHouseStorage(settings)
        let block = block(["a", "b"], 1)
        for host in 0..<3 { try await only(host, of: settings).append(block) }
        for host in 0..<3 { #expect(try await stored(all, on: host) == 2) }
    }

    @Test("Planned and frequent names and keys have their places, in spite of many invented ones before")
    func places() async throws {
        let storage = try await ClickHouseStorage(ColumnStores.settings())
        let plan = try TrackingPlan([
            "events": [["type": "track", "name": "Planned", "properties": [["key": "total"]]]]
        ])
        let invented = (0..<Limits.countedNames + 50).flatMap { ["Invented \($0)", "Invented \($0)"] }
        let keys = (0..<Limits.countedKeys + 50).map { #""k\#($0)":1"# }.joined(separator: ",")
        let names = invented + ["Order", "Order", "Order", "Planned"]
        let rows = names.enumerated().map { index, name in
            let properties = name == "Planned" ? #"\#(keys),"total":1"# : ""
            let event = StoredEvents.event(
                "m-\(index)", name: name, body: #"{"userId":"u","properties":{\#(properties)}}"#)
            return EventBlock.Row(
                identity: event.identity(in: 1), number: Int64(index + 1), day: Day(milliseconds: StoredEvents.noon),
                receivedAt: StoredEvents.noon, content: .event(event))
        }
        let identity = EventBlock.Identity(epoch: 1, after: 0, through: 1)
        try await storage.append(EventBlock(identity: identity, storedAt: StoredEvents.noon, rows: rows))
        let day = Day(milliseconds: StoredEvents.noon)
        let counts = try await storage.nameCounts(of: 1, on: day...day, plan: plan)
        #expect(counts.first { $0.name.text == "Order" }?.count == 3)
        #expect(counts.first { $0.name.text == "Planned" }?.count == 1)
        #expect(counts.count == Limits.countedNames + 1)
        #expect(counts.reduce(0) { $0 + $1.count } == Int64(names.count))
        let planned = CountedName(.track, name: "Planned")
        let found = try await storage.properties(of: [planned], source: 1, on: day...day, plan: plan)[planned]
        #expect(found?.keys[Array("total".utf8)]?.total == 1)
        #expect(found?.keys.count == Limits.countedKeys)
    }

    @Test("A repeated block is recognised after more blocks than servers remember by default")
    func window() async throws {
        let storage = try await ClickHouseStorage(ColumnStores.settings())
        for sequence in 1...130 { try await storage.append(block(["m-\(sequence)"], UInt64(sequence))) }
        try await storage.append(block(["m-1"], 1))
        #expect(try await stored(storage, on: 0) == 130)
    }

    @Test("Servers that remember few blocks store a repeated block twice, and reads have the block once")
    func fewBlocks()
        async throws
    {
        var settings = try await ColumnStores.settings()
        settings.knownBlocks = 2
        let storage = try await ClickHouseStorage(settings)
        for sequence in 1...6 { try await storage.append(block(["m-\(sequence)"], UInt64(sequence))) }
        // Servers forget blocks in the background.
        try await eventually {
            try await storage.append(block(["m-1"], 1))
            return try await stored(storage, on: 0) > 6
        }
        var query = RowQuery(.events)
        query.order = .ascending
        #expect(try await storage.rows(query).map(\.sequence) == (1...6).map { $0 * 100 })
    }

    @Test("A table that remembers too few blocks is refused", arguments: ColumnStores.installed)
    func tooFewBlocks(_ kind: ColumnStores.Kind) async throws {
        var settings = try await ColumnStores.settings(kind)
        settings.knownBlocks = 100
        _ = try await ClickHouseStorage(settings)
        settings.knownBlocks = 10_000
        let error = await #expect(throws: ClickHouseError.self) { try await opened(settings) }
        #expect("\(try #require(error))".contains("replicated_deduplication_window = 100; at least 10000 is needed"))
    }

    @Test(
        "Texts of a client are never part of a statement",
        arguments: [
            "'; DROP TABLE rows; --", "\\'\"`\n\t) OR 1=1", "{value1:String} ?", "a\u{0}b", "\r\n--x--\r\n",
            "ü\u{FFFD}",
        ], ColumnStores.installed)
    func hostileTexts(_ text: String, _ kind: ColumnStores.Kind) async throws {
        let storage = try await ClickHouseStorage(ColumnStores.settings(kind))
        let event = StoredEvents.event(
            text, name: text, userId: text, anonymousId: text,
            body: #"{"userId":"x","properties":{"k":1}}"#)
        let row = EventBlock.Row(
            identity: event.identity(in: 1), number: 1, day: Day(milliseconds: StoredEvents.noon),
            receivedAt: StoredEvents.noon, content: .event(event))
        try await storage.append(
            EventBlock(identity: .init(epoch: 1, after: 0, through: 1), storedAt: 1, rows: [row]))
        try await storage.append(block(["other"], 2))
        for column in [EventQuery.Match.Column.name, .userId, .anonymousId] {
            var query = RowQuery(.events)
            query.matches = [.init(column: column, value: text)]
            #expect(try await storage.rows(query).map(\.sequence) == [1])
        }
        let found = try await storage.event(text, source: 1, receivedAt: StoredEvents.noon, writeKey: "WK")
        #expect(found?.sequence == 1)
        let name = CountedName(.track, name: text)
        let day = Day(milliseconds: StoredEvents.noon)
        #expect(try await storage.properties(of: [name], source: 1, on: day...day, plan: .none)[name]?.keys.count == 1)
        #expect(try await storage.erase(text).events == 1)
        #expect(try await storage.rows(RowQuery(.events)).map(\.sequence) == [200])
    }

    @Test("The bytes of an erased user are gone from the disks of all replicas") func erasedBytes() async throws {
        let engines = try await ColumnStores.engines
        let storage = try await ClickHouseStorage(ColumnStores.settings())
        let user = "erased-\(UUID().uuidString)"
        try await storage.append(block(["a", "b"], 1, userId: user))
        try await storage.append(block(["c"], 2))
        // Servers leave the last block of a day out of a deletion.
        try await storage.append(block(["d"], 3, userId: user))
        for host in 0..<3 {
            _ = try await stored(storage, on: host)
            #expect(try files(with: user, in: engines.dataFolders[host]).isEmpty == false)
        }
        #expect(try await storage.erase(user).events == 3)
        for host in 0..<3 {
            #expect(try await stored(storage, on: host) == 1)
            // Servers delete replaced parts some seconds later.
            try await eventually { try files(with: user, in: engines.dataFolders[host]).isEmpty }
        }
        #expect(try await storage.erase(user) == Erased())
    }

    @Test("One of three replicas may be away, and has everything when it is back") func replicaAway() async throws {
        let engines = try await ClickHouseEngines(replicas: 3)
        let storage = try await ClickHouseStorage(ColumnStores.settings(of: engines))
        try await storage.append(block(["a"], 1))
        engines.servers[0].kill()
        try await storage.append(block(["b"], 2))
        #expect(try await storage.rows(RowQuery(.events)).count == 2)
        let another = try await ClickHouseStorage(storage.client.settings)
        #expect(try await another.rows(RowQuery(.events)).count == 2)
        try engines.servers[0].start()
        try await eventually {
            do { return try await stored(storage, on: 0) == 2 } catch is ClickHouseError { return false }
        }
    }

    @Test("Without a quorum nothing counts as stored") func noQuorum() async throws {
        let engines = try await ClickHouseEngines(replicas: 3)
        var settings = try ColumnStores.settings(of: engines)
        _ = try await ClickHouseStorage(settings)
        settings.patience = 1
        engines.servers[1].kill()
        engines.servers[2].kill()
        let alone = ClickHouseClient(settings)
        await #expect(throws: ClickHouseError.self) { try await insertMarker(with: alone) }
    }

    @Test(
        "A new owner of a partition reads what arrived in the window before its last row, and no more",
        arguments: ColumnStores.installed)
    func messagesOfPartition(_ kind: ColumnStores.Kind) async throws {
        let storage = try await ClickHouseStorage(ColumnStores.settings(kind))
        let last = StoredEvents.noon
        func append(_ id: String, to partition: Int, arrived minutes: Int64, storedAt: Int64) async throws {
            let event = StoredEvents.event(id, at: last - minutes * 60_000, userId: nil)
            let number = ClusterNumber.number(try ClusterNumber.ordinal(ofBlockAt: storedAt), of: partition)
            let arrival = event.times.receivedAt
            let row = EventBlock.Row(
                identity: event.identity(in: 1), number: number, day: Day(milliseconds: arrival), receivedAt: arrival,
                content: .event(event))
            let place = UInt64(storedAt)
            let identity = EventBlock.Identity(epoch: UInt64(partition), after: place - 1, through: place)
            try await storage.append(EventBlock(identity: identity, storedAt: storedAt, rows: [row]))
        }
        func messages(_ partition: Int, at time: Int64) async throws -> [RowIdentity: MessageLocation] {
            try await storage.messages(of: partition, before: ClusterNumber.first(at: time), newest: 600_000)
        }
        func identity(_ id: String) -> RowIdentity { StoredEvents.event(id, userId: nil).identity(in: 1) }
        try await append("old", to: 3, arrived: 11, storedAt: last + 1)
        try await append("near", to: 3, arrived: 10, storedAt: last + 2)
        try await append("last", to: 3, arrived: 0, storedAt: last + 3)
        try await append("other", to: 4, arrived: 0, storedAt: last + 4)
        // Another owner announces it now, so it is not in front.
        try await append("later", to: 3, arrived: 0, storedAt: last + 10)
        let soon = try await messages(3, at: last + 10)
        #expect(Set(soon.keys) == [identity("near"), identity("last")])
        #expect(soon[identity("near")]?.receivedAt == last - 600_000)
        // The partition had nothing for three days, or for as long as it exists.
        #expect(try await messages(3, at: last + 3 * Day.milliseconds).count == 3)
        #expect(try await messages(5, at: last + 10).isEmpty)
        #expect(try await messages(3, at: 0).isEmpty)
    }

    @Test(
        "An event that came again after the window counts with its last arrival", arguments: ColumnStores.installed)
    func cameAgain(_ kind: ColumnStores.Kind) async throws {
        let storage = try await ClickHouseStorage(ColumnStores.settings(kind))
        for (sequence, arrival) in [StoredEvents.noon, StoredEvents.noon + 60_000].enumerated() {
            let event = StoredEvents.event("again", at: arrival, userId: nil)
            let number = ClusterNumber.number(try ClusterNumber.ordinal(ofBlockAt: arrival), of: 0)
            let row = EventBlock.Row(
                identity: event.identity(in: 1), number: number, day: Day(milliseconds: arrival), receivedAt: arrival,
                content: .event(event))
            let identity = EventBlock.Identity(epoch: 1, after: UInt64(sequence), through: UInt64(sequence) + 1)
            try await storage.append(EventBlock(identity: identity, storedAt: arrival, rows: [row]))
        }
        let found = try await storage.messages(
            of: 0, before: ClusterNumber.first(at: StoredEvents.noon + 90_000), newest: 600_000)
        #expect(found.values.map(\.receivedAt) == [StoredEvents.noon + 60_000])
    }

    @Test(
        "Events are found by their ids in sources, in partitions and in days, and are counted by day",
        arguments: ColumnStores.installed)
    func lookUps(_ kind: ColumnStores.Kind) async throws {
        let storage = try await ClickHouseStorage(ColumnStores.settings(kind))
        let day = Day(milliseconds: StoredEvents.noon)
        // Twice in the first source, an hour apart, and once in the second.
        for (sequence, source, hours) in [(1, 1, 1), (2, 1, 0), (3, 2, 2)] as [(UInt64, Int64, Int64)] {
            let event = StoredEvents.event("a", at: StoredEvents.noon + hours * 3_600_000)
            let row = EventBlock.Row(
                identity: event.identity(in: source), number: ClusterNumber.number(Int64(sequence), of: 5), day: day,
                receivedAt: event.times.receivedAt, content: .event(event))
            let identity = EventBlock.Identity(epoch: 1, after: sequence - 1, through: sequence)
            try await storage.append(EventBlock(identity: identity, storedAt: 1, rows: [row]))
        }
        let noon = MessageLocation(day: day, receivedAt: StoredEvents.noon)
        let places = try await storage.places(of: "a", sources: [1, 3])
        #expect(places == [1: noon])
        let asked = ["a", "b"].map { StoredEvents.event($0).identity(in: 1) }
        func found(_ partition: Int, before number: Int64 = .max, on days: Day) async throws -> [RowIdentity:
            MessageLocation]
        {
            try await storage.places(of: asked, in: partition, before: number, on: days...days)
        }
        #expect(try await found(5, on: day) == [asked[0]: noon])
        #expect(try await found(5, before: ClusterNumber.number(1, of: 5), on: day) == [:])
        #expect(try await found(4, on: day) == [:])
        #expect(try await found(5, on: day.advanced(by: 1)) == [:])
        #expect(try await storage.received(on: day) == [1: 2, 2: 1])
        #expect(try await storage.received(on: day.advanced(by: 1)) == [:])
    }

    @Test(
        "A repeated block is stored once, and another block with the same place in a new log is stored too",
        arguments: ColumnStores.installed)
    func samePlace(_ kind: ColumnStores.Kind) async throws {
        let storage = try await ClickHouseStorage(ColumnStores.settings(kind))
        for ids in [["a", "b"], ["a", "b"], ["c"]] { try await storage.append(block(ids, 1)) }
        #expect(try await stored(storage, on: 0) == 3)
    }

    private func opened(_ settings: ClickHouseSettings) async throws { _ = try await ClickHouseStorage(settings) }

    private func insertMarker(with client: ClickHouseClient) async throws {
        var bytes = RowBinaryWriter()
        ClickHouseRow.marker(Day(number: 20_000), MessageKey(high: 1, low: 2)).write(to: &bytes)
        try await client.insert(ClickHouseTable.insertion(client.settings), rows: bytes.bytes)
    }

    private func files(with text: String, in folder: String) throws -> [String] {
        let search = Process()
        search.executableURL = URL(fileURLWithPath: "/bin/grep")
        search.arguments = ["-rlaF", text, folder]
        let output = Pipe()
        (search.standardOutput, search.standardError) = (output, FileHandle.nullDevice)
        try search.run()
        let found = try output.fileHandleForReading.readToEnd() ?? Data()
        search.waitUntilExit()
        return String(decoding: found, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Waits for something that servers do in the background.
    private func eventually(_ holds: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while try await !holds() {
            guard ContinuousClock.now < end else {
                Issue.record("it did not happen within a minute")
                return
            }
            await Task.yield()
        }
    }
}
