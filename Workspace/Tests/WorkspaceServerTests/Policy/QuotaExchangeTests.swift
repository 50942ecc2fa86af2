import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Quotas over the nodes of a cluster") struct QuotaExchangeTests {
    private func report(_ id: String, _ events: [Int64: Int], day: Int64 = 100) -> NodeReport {
        NodeReport(name: id, id: id, version: "1", received: DayCounts(day: day, events: events))
    }

    @Test("What others counted before the first look is in the store already, and does not count") func firstLook() {
        var exchange = QuotaExchange()
        #expect(exchange.take([report("a", [1: 10]), report("me", [1: 3])], besides: "me", on: 100) == [1: 0])
        let later = [report("a", [1: 15, 2: 4]), report("me", [1: 9])]
        #expect(exchange.take(later, besides: "me", on: 100) == [1: 5, 2: 4])
    }

    @Test("A node that came later counts whole, and one that ended keeps its count") func comingAndGoing() {
        var exchange = QuotaExchange()
        _ = exchange.take([report("a", [1: 10])], besides: "me", on: 100)
        #expect(exchange.take([report("a", [1: 12]), report("b", [1: 7])], besides: "me", on: 100) == [1: 9])
        #expect(exchange.take([report("b", [1: 8])], besides: "me", on: 100) == [1: 10])
        #expect(exchange.take([], besides: "me", on: 100) == [1: 10])
    }

    @Test("A new day begins with nothing, and reports of another day do not count") func newDay() {
        var exchange = QuotaExchange()
        _ = exchange.take([report("a", [1: 10])], besides: "me", on: 100)
        #expect(exchange.take([report("a", [1: 99])], besides: "me", on: 101) == [:])
        #expect(exchange.take([report("a", [1: 2], day: 101)], besides: "me", on: 101) == [1: 2])
    }

    @Test("Events that other nodes took use up a quota, until the day is over") func ledger() throws {
        let clock = TestClock()
        let ledger = QuotaLedger(today: [1: 2], now: { clock.now })
        var quota = Quota()
        quota.eventsPerDay = 10
        try ledger.take(3, of: 1, within: quota)
        #expect(ledger.own.events == [1: 3])
        ledger.note(elsewhere: DayCounts(day: ledger.own.day, events: [1: 5]))
        #expect(ledger.today(of: 1).events == 10)
        #expect(throws: Refusal.self) { try ledger.take(1, of: 1, within: quota) }
        // An old report changes nothing.
        ledger.note(elsewhere: DayCounts(day: ledger.own.day - 1, events: [1: 0]))
        #expect(ledger.today(of: 1).events == 10)
        clock.advance(by: Day.milliseconds)
        try ledger.take(1, of: 1, within: quota)
        #expect(ledger.today(of: 1).events == 1)
        #expect(ledger.own.events == [1: 1])
    }

    @Test("Counts are read as they were written, and what is none is refused") func roundTrip() throws {
        let counts = DayCounts(day: 20_000, events: [1: 0, 77: 12])
        #expect(DayCounts(try JSON.parse(counts.json.encoded())) == counts)
        for text in ["7", "{}", #"{"day":1,"events":{"a":1}}"#, #"{"day":1,"events":{"1":-1}}"#] {
            #expect(DayCounts(try JSON.parse(text)) == nil)
        }
    }
}
