import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Counts of people from the columns of days, beside the same counts from the texts of all events.
@Suite("Counts of people", .timeLimit(.minutes(30))) struct PeopleScanTests {
    private let folder: TemporaryFolder
    private let first = Day(milliseconds: StoredEvents.noon)

    init() throws { folder = try TemporaryFolder() }

    /// Events by chance, with few people and devices so that they meet, that arrive on some days.
    private func store(_ random: inout SeededNumbers) async throws -> Store {
        let store = try Store.testing(folder)
        try store.ensureSources(writeKeys: ["WK", "OTHER"], now: 1)
        var number = 0
        // What arrives on the last day happened weeks before, as after an import.
        for (day, age) in [(0, 0), (1, 0), (2, 0), (3, 0), (40, 38)] {
            let receivedAt = StoredEvents.day(Int64(day))
            var batches: [IncomingBatch] = []
            for source in [Int64(1), 2] {
                var batch = IncomingBatch(source: source, receivedAt: receivedAt)
                for _ in 0..<Int.random(in: 0...120, using: &random) {
                    number += 1
                    batch.events.append(try event(number, receivedAt, days: age, &random))
                }
                // Rows of other lists have numbers among those of the events.
                batch.signals = [StoredEvents.signal("s-\(number)-\(source)", anonymousId: "d-1")]
                batches.append(batch)
            }
            _ = try await store.write(
                batches, through: JournalOffset(epoch: 1, sequence: UInt64(day + 1)), now: { receivedAt })
        }
        return store
    }

    /// - Parameter days: how long before its arrival the event happened, at least.
    private func event(
        _ number: Int, _ receivedAt: Int64, days: Int, _ random: inout SeededNumbers
    ) throws -> IncomingEvent {
        let what = [
            #""type":"track","event":"A""#, #""type":"track","event":"B""#, #""type":"track","event":"\u0043""#,
            #""type":"track","event":"Other""#, #""type":"screen","name":"A""#, #""type":"screen""#,
            #""type":"identify""#,
        ]
        let user =
            ["", #","userId":"u-\#(Int.random(in: 0...9, using: &random))""#].randomElement(using: &random) ?? ""
        // An event has a user or a device.
        let hasDevice = user.isEmpty || Bool.random(using: &random)
        let device = hasDevice ? #","anonymousId":"d-\#(Int.random(in: 0...9, using: &random))""# : ""
        let age = Int64(days) * Day.milliseconds
        let time = receivedAt - age - Int64.random(in: 0...(2 * Day.milliseconds / 1_000), using: &random) * 1_000
        let text = """
            {\(what.randomElement(using: &random) ?? ""),"messageId":"m-\(number)"\(user)\(device),\
            "timestamp":"\(ISO8601.string(milliseconds: time))",\
            "properties":{"n":\(Int.random(in: 0...3, using: &random))}}
            """
        let bytes = Array(text.utf8)
        return try bytes.withUnsafeBufferPointer {
            try EventReader(receivedAt: receivedAt).read(0..<bytes.count, of: $0, madeId: "")
        }
    }

    /// The count from columns, with all that one step of the scan would do.
    private func scanned(_ count: some PeopleCount, _ store: Store) async throws -> JSON {
        let storage = try #require(store.storage as? any PeopleStorage)
        var scan = PeopleScan(count, source: 1, storage: storage, scans: Scans())
        while try await scan.step() { #expect(scan.progress["most"] != .null) }
        return try await scan.result(limit: 3)
    }

    /// The count from the texts of all events that arrived on the days of the question and after.
    private func read(_ count: some PeopleCount, _ store: Store) async throws -> JSON {
        var query = RowQuery(.bodies)
        (query.source, query.limit, query.since) = (1, .max, count.followedTimes?.lowerBound ?? count.times.lowerBound)
        var count = count
        try count.take(try await store.storage.rows(query).map { try TextEvent($0) })
        return count.json(limit: 3)
    }

    /// Without the number of events that were looked at, in which both ways differ.
    private func compared(_ json: JSON) -> JSONObject? {
        var object = json.objectValue
        object?["looked"] = nil
        return object
    }

    @Test("A funnel from columns has the result of one from the texts of all events", arguments: 0..<40)
    func sameFunnel(seed: UInt64) async throws {
        var random = SeededNumbers(seed: seed)
        let store = try await store(&random)
        for steps in [
            ["A", "B"], ["A", "C", "B"], [#"{"type":"screen"}"#, "B"], [#"{"type":"track","name":"A"}"#, "A"],
            [#"{"name":"A","where":["properties.n>1"]}"#, #"{"type":"identify"}"#], ["Nothing", "B"],
        ] {
            for path in [nil, "properties.n"] {
                let question = try Funnel.Question(
                    steps: try steps.map { try FunnelStep($0) }, window: 86_400, days: first...first.advanced(by: 2),
                    path: try path.map { try JSONPath($0) }, around: path == nil ? 0 : steps.count - 1)
                let (quick, whole) = (
                    try await scanned(Funnel(question), store), try await read(Funnel(question), store)
                )
                #expect(compared(quick) == compared(whole), "\(steps) \(path ?? "")")
            }
        }
    }

    @Test("Retention from columns has the result of one from the texts of all events", arguments: 0..<20)
    func sameRetention(seed: UInt64) async throws {
        var random = SeededNumbers(seed: seed)
        let store = try await store(&random)
        for (one, other) in [("A", "B"), ("A", "A"), (#"{"type":"track","where":["properties.n>1"]}"#, "C")] {
            for period in PeopleRetention.Period.allCases {
                let question = try PeopleRetention.Question(
                    first: try FunnelStep(one), returning: try FunnelStep(other), period: period,
                    days: first...first.advanced(by: 2))
                let (quick, whole) = (
                    try await scanned(PeopleRetention(question), store),
                    try await read(PeopleRetention(question), store)
                )
                #expect(compared(quick) == compared(whole), "\(one) \(other)")
            }
        }
    }

    @Test("Only the events that were asked for are looked at when they have users, and all numbers are passed")
    func parts() async throws {
        let store = try Store.testing(folder)
        try store.ensureSources(writeKeys: ["WK"], now: 1)
        var batch = IncomingBatch(source: 1, receivedAt: StoredEvents.noon)
        // More than one part of the indexes, and more than one part of texts.
        batch.events = (0..<9_000).map { number in
            StoredEvents.event("m-\(number)", name: number % 1_000 == 0 ? "A" : "Other", anonymousId: "d")
        }
        _ = try await store.write([batch], through: JournalOffset(epoch: 1, sequence: 1), now: { StoredEvents.noon })
        for text in ["A", #"{"name":"A","where":["messageId"]}"#] {
            let question = try Funnel.Question(
                steps: [try FunnelStep(text), try FunnelStep(text)], window: 60, days: first...first, path: nil)
            let json = try await scanned(Funnel(question), store)
            #expect(json["all"]?["people"] == [1, 1])
            #expect(json["looked"] == 9)
        }
    }
}
