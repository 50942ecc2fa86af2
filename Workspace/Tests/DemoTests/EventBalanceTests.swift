import ProgramSupport
import Testing
import TributaryJSON

@testable import Demo

@Suite struct EventBalanceTests {
    private func row(_ id: String, version: String?, properties: JSON = [:]) -> JSON {
        var event: JSON = ["messageId": .string(id), "properties": properties]
        if let version { event["context"] = ["livePlugin": ["version": .string(version)]] }
        return ["sequence": 1, "event": event]
    }

    /// 12 tracked: 7 stored (4 by version 1, 3 by version 2), 3 dropped by plugins, 2 by filters.
    private func balanced() throws -> EventBalance {
        var summary = ShopSummary()
        summary.tracked = 12
        summary.droppedByPlugin = ["DropTestTraffic": 2, "Redact": 1]
        summary.droppedByFilter = ["noise": 2]
        var tally = EventTally()
        for number in 0..<7 { tally.add(row("m-\(number)", version: number < 4 ? "1" : "2")) }
        let statistics = try #require(Statistics(["stored": 7, "duplicates": 1, "rejected": 0, "tracedDrops": 5]))
        return EventBalance(summary: summary, tally: tally, statistics: statistics)
    }

    @Test("A run is balanced when each tracked event was stored or dropped")
    func balances() throws {
        let balance = try balanced()
        #expect(balance.difference == 0)
        #expect(balance.problems == [])
        #expect(
            balance.resultLine
                == "demo: tracked=12 stored=7 dropped_by_plugin=3 dropped_by_filter=2 balanced=yes")
    }

    @Test("Equal sums are not enough: an event that a filter had to drop must not be stored")
    func wrongEnds() throws {
        var balance = try balanced()
        balance.expected = ExpectedBalance(stored: 7, droppedByPlugin: 3, droppedByFilter: 2)
        #expect(balance.problems == [])
        balance.expected = ExpectedBalance(stored: 6, droppedByPlugin: 3, droppedByFilter: 3)
        #expect(balance.difference == 0)
        #expect(
            balance.problems == [
                "7 events were stored, and 6 have to be", "2 events were dropped by a filter, and 3 have to be",
            ])
        #expect(balance.resultLine.hasSuffix("balanced=no"))
        #expect(
            ExpectedBalance.shop.stored + ExpectedBalance.shop.droppedByPlugin + ExpectedBalance.shop.droppedByFilter
                == 7_411)
    }

    @Test("The balance reports how many events are missing")
    func missingEvents() throws {
        var balance = try balanced()
        balance.summary.tracked = 14
        #expect(balance.difference == 2)
        #expect(balance.problems == ["2 events are not accounted for"])
        #expect(balance.resultLine.hasSuffix("balanced=no"))
    }

    @Test("A stored event that is listed twice counts once")
    func repeatedEvent() throws {
        var balance = try balanced()
        balance.tally.add(row("m-0", version: "1"))
        #expect(balance.stored == 7)
        balance.tally.add(row("new", version: "1"))
        #expect(balance.difference == -1)
        #expect(!balance.isBalanced)
    }

    @Test("A run that tracked no event is not balanced")
    func nothingTracked() {
        let balance = EventBalance(summary: ShopSummary(), tally: EventTally(), statistics: Statistics())
        #expect(!balance.isBalanced)
        #expect(balance.problems.contains("nothing was tracked"))
    }

    @Test("The balance names a version of the live plugins that processed no event")
    func unusedVersion() throws {
        var balance = try balanced()
        balance.tally = EventTally()
        for number in 0..<7 { balance.tally.add(row("m-\(number)", version: "1")) }
        #expect(balance.problems == ["live plugins version 2 processed nothing"])
        #expect(balance.isBalanced)
    }

    @Test("The balance names lost, waiting, rejected and uncorrected events")
    func namesProblems() throws {
        var balance = try balanced()
        balance.summary.lost = ["unreadable": 3]
        balance.summary.remaining = 4
        balance.statistics.rejected = 5
        balance.summary.tracked = 14
        balance.tally.add(row("a", version: "1", properties: ["internal_note": "shelf"]))
        balance.tally.add(row("b", version: nil, properties: ["product_did": "p"]))
        #expect(
            balance.problems == [
                "1 stored events have an internal note", "1 stored events have a misnamed property",
                "4 events still wait on the device", "the workspace rejected 5 events",
                "3 events were lost: unreadable",
            ])
    }

    @Test("All counts in the table of the balance end in the same column")
    func alignsTable() throws {
        var balance = try balanced()
        balance.summary.tracked = 14200
        balance.statistics.latency = (median: 9, p99: 1200)
        let lines = EventBalanceTable(balance: balance).lines
        #expect(lines[0] == "tracked by the shop                            14,200")
        #expect(lines[2] == "dropped by plugin: DropTestTraffic                  2")
        #expect(lines[3] == "dropped by plugin: Redact                           1")
        let withoutUnits = lines.filter { !$0.isEmpty && !$0.hasSuffix(" ms") }
        #expect(Set(withoutUnits.map(\.count)) == [53])
        #expect(lines.filter { $0.hasSuffix(" ms") }.map(\.count) == [56, 56])
    }

    @Test("Numbers have a comma between groups of three digits")
    func groupsDigits() {
        #expect([0, 999, 1000, -1_234_567].map(Grouped.text) == ["0", "999", "1,000", "-1,234,567"])
    }
}
