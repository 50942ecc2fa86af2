import Testing
import TributaryJSON

@testable import Storefront
@testable import Tributary

@Suite struct SummaryTests {
    private var counters: EventCounters {
        var counters = EventCounters()
        counters.tracked = 20
        counters.uploaded = 11
        counters.delivered = ["Segment.io": 11, "ReceiptPrinter": 15]
        counters.droppedByPlugin = [
            .init(by: "DropTestTraffic", destination: nil): 3, .init(by: "Redact", destination: "Segment.io"): 1,
            .init(by: "Redact", destination: "ReceiptPrinter"): 2,
        ]
        counters.droppedByFilter = [
            .init(by: "noise", destination: "Segment.io"): 5, .init(by: "noise", destination: "ReceiptPrinter"): 1,
        ]
        return counters
    }

    @Test("Only events that never reach the server count as dropped")
    func countsDrops() {
        let summary = Summary(counters: counters, printed: 15, flush: .sent, seconds: 1.23456)
        #expect(summary.droppedByPlugin == ["DropTestTraffic": 3, "Redact": 1])
        #expect(summary.droppedByFilter == ["noise": 5])
        #expect(summary.keptFromDestinations == ["ReceiptPrinter": 3])
        #expect(summary.tracked == 11 + 3 + 1 + 5)
    }

    @Test("The summary is JSON with the counts and the result of the flush")
    func encodesJSON() throws {
        let summary = Summary(
            counters: counters, printed: 15, flush: .timedOut(remaining: 4, reason: "no answer"), seconds: 1.23456)
        let json = try JSON.parse([UInt8](summary.encoded()))
        #expect(json["tracked"] == 20)
        #expect(json["dropped_by_plugin"] == ["DropTestTraffic": 3, "Redact": 1])
        #expect(json["dropped_by_filter"] == ["noise": 5])
        #expect(json["delivered"] == ["Segment.io": 11, "ReceiptPrinter": 15])
        #expect(json["uploaded"] == 11)
        #expect(json["lost"] == [:])
        #expect(json["flush"] == ["result": "timed_out", "remaining": 4, "reason": "no answer"])
        #expect(json["seconds"] == 1.235)
    }
}
