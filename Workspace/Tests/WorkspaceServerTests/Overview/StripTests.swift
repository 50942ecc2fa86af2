import Foundation
import GRDB
import Logging
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The last 24 hours", .timeLimit(.minutes(30))) struct StripTests {
    private let clock = TestClock()

    private func run(in folder: TemporaryFolder? = nil, _ body: (TestWorkspace) async throws -> Void) async throws {
        let environment = WorkspaceEnvironment(now: { [clock] in clock.now }, makeWriteKey: { "K" })
        try await TestWorkspace.run(in: folder, environment: environment, alertPause: .seconds(3_600), body)
    }

    private func counts(_ json: JSON?, _ kind: String) -> [Int] { json?[kind]?.elements?.compactMap(\.intValue) ?? [] }

    private func source(_ workspace: TestWorkspace) async throws -> JSON {
        let answer = try await workspace.client.get("/api/overview")
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(try answer.json["sources"]?.elements?.first)
    }

    @Test("Events count in the half hour in which they came, and are gone from the strip a day later")
    func events() async throws {
        try await run { workspace in
            let client = workspace.client
            try await client.batch([Events.track(messageId: "1"), Events.track(messageId: "2"), ["type": "odd"]])
            try await client.batch([Events.track(messageId: "1")])
            clock.advance(by: StripCounter.cell)
            try await client.batch([Events.track(messageId: "3")])
            let now = try await source(workspace)
            #expect(now["writeKey"] == "WK")
            #expect(counts(now, "accepted").count == 48)
            #expect(counts(now, "accepted").suffix(3) == [0, 2, 1])
            #expect(counts(now, "rejected").suffix(2) == [1, 0])
            clock.advance(by: 46 * StripCounter.cell)
            #expect(counts(try await source(workspace), "accepted").prefix(2) == [2, 1])
            clock.advance(by: StripCounter.cell)
            #expect(counts(try await source(workspace), "accepted").prefix(2) == [1, 0])
            let figures = try await client.get("/api/stats?writeKey=WK").json
            #expect(figures["stored"] == 3)
            #expect(figures["duplicates"] == 1)
        }
    }

    @Test("The strip is the same after a restart, and rows of the day before are deleted")
    func restart() async throws {
        let folder = try TemporaryFolder()
        try await run(in: folder) { workspace in
            try await workspace.client.batch([Events.track(messageId: "1")])
            #expect(counts(try await source(workspace), "accepted").last == 1)
        }
        try await run(in: folder) { workspace in
            #expect(counts(try await source(workspace), "accepted").last == 1)
            clock.advance(by: 49 * StripCounter.cell)
            try await workspace.store.noteLags([], now: clock.now)
            let left = try await workspace.store.pool.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM counter WHERE name LIKE 'strip:%'")
            }
            #expect(left == 0)
        }
    }

    @Test("A destination has what it took, what it refused, and how long events waited")
    func destinations() async throws {
        try await run { workspace in
            let receiver = Receiver()
            try await receiver.run { url in
                let hook: JSON = ["kind": "webhook", "settings": ["url": .string(url)]]
                let path = "/api/sources/WK/destinations/Hook"
                let made = try await workspace.client.put(path, hook.description)
                #expect(made.status == 201, "\(made.text)")
                try await workspace.client.batch([Events.track(messageId: "1"), Events.track(messageId: "2")])
                _ = await receiver.accepts(2)
                try await workspace.until("/api/overview") { json in
                    counts(json["sources"]?.elements?.first?["destinations"]?.elements?.first, "delivered").last == 2
                }
                let id = try #require(try await workspace.store.source("WK")?.id)
                let destination = try #require(try await workspace.store.destination("Hook", of: id))
                try await workspace.store.noteLags([(id, destination.id, 5_000)], now: clock.now)
                try await workspace.store.noteLags([(id, destination.id, 4_000)], now: clock.now)
                let shown = try await source(workspace)["destinations"]?.elements?.first
                #expect(shown?["name"] == "Hook")
                #expect(counts(shown, "lag").last == 5_000)
                #expect(counts(shown, "refused").allSatisfy { $0 == 0 })
                #expect(try await workspace.client.send("DELETE", path, body: nil).status == 200)
                #expect(try await source(workspace)["destinations"] == [])
            }
        }
    }

    @Test("Events that became dead letters count as refused when they did")
    func refused() throws {
        var changes = ForwardingChanges()
        (changes.delivered, changes.lastDeliveredAt) = (3, 10)
        #expect(changes.strip.map { "\($0.0) \($0.1) \($0.at)" } == ["delivered 3 10"])
        changes = ForwardingChanges()
        #expect(changes.strip.isEmpty)
    }

    @Test("The name of a counter says its half hour, kind and destination, and sorts by time")
    func names() throws {
        let names = [9 * StripCounter.cell, 10 * StripCounter.cell, 1_700_000_000_000, 99_000_000_000_000].map {
            StripCounter.name($0, .lag, destination: 7)
        }
        #expect(names.sorted() == names)
        #expect(names.allSatisfy { $0 > StripCounter.prefix && $0 < StripCounter.end })
        let parsed = try #require(StripCounter.parse(names[0]))
        #expect(parsed.number == 9 && parsed.kind == .lag && parsed.destination == 7)
        for other in ["stored", "strip:", "strip:1", "strip:x:lag", "strip:1:x", "plan:1:[]"] {
            #expect(StripCounter.parse(other) == nil, "\(other)")
        }
    }

    @Test(
        "The disk is full when days go on as they were, unless old days make room",
        arguments: [
            ([], nil, nil, nil), ([100], nil, nil, nil), ([100, 300], nil, 200, 5), ([0, 0], nil, 1, 1_000),
            // Seven days are kept and five are there, so only two more days come.
            ([100, 300], 7, 200, nil), ([100, 300], 30, 200, 5),
        ] as [([Int64], Int64?, Int64?, Int64?)])
    func disk(sizes: [Int64], retainDays: Int64?, perDay: Int64?, days: Int64?) {
        let today = Day(number: 20_000)
        let trend = DiskTrend(sizes, free: 1_000, count: 5, retainDays: retainDays, today: today)
        #expect(trend.bytesPerDay == perDay)
        #expect(trend.fullOn == days.map { today.advanced(by: $0) })
    }

    @Test("The command draws the half hours")
    func command() async throws {
        try await run { workspace in
            try await workspace.client.batch([Events.track(messageId: "1")])
            _ = try await workspace.client.events()
            let shown = try await CommandRun.finish(["overview", "--server", workspace.client.url])
            #expect(shown.output.contains("  accepted"), "\(shown.output) \(shown.errors)")
            #expect(shown.output.contains("··█  1\n"), "\(shown.output)")
            let json = try await CommandRun.finish(["overview", "--json", "--server", workspace.client.url])
            #expect(try JSON.parse(json.output)["minutes"] == 30)
        }
    }
}
