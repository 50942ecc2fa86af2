import Testing
import TributaryJSON

@testable import Demo

/// The demo reads the summary of the shop and the statistics of the workspace.
@Suite struct ReadingTests {
    @Test("The demo reads the summary of the shop and refuses an unknown form")
    func readsSummary() throws {
        let summary = try ShopSummary(json: [
            "tracked": 20, "dropped_by_plugin": ["A": 1], "dropped_by_filter": ["b": 2], "lost": [:],
            "dead_lettered": 3,
            "delivered": ["Segment.io": 14, "ReceiptPrinter": 17], "flush": ["result": "partly", "remaining": 4],
        ])
        #expect(summary.tracked == 20)
        #expect(summary.droppedByPlugin == ["A": 1])
        #expect(summary.droppedByFilter == ["b": 2])
        #expect(summary.deadLettered == 3)
        #expect(summary.printed == 17)
        #expect(summary.remaining == 4)
        #expect(throws: DemoError("the shop's summary has an unknown form")) { try ShopSummary(json: ["tracked": 20]) }
    }

    @Test("The demo reads the statistics of the workspace with and without latencies")
    func readsStatistics() {
        let json: JSON = [
            "stored": 5, "duplicates": 1, "rejected": 2, "tracedDrops": 3, "byType": [:],
            "latency": ["count": 5, "medianMs": 10, "p99Ms": 90],
        ]
        let statistics = Statistics(json)
        #expect(statistics?.accountedFor == 8)
        #expect(statistics?.latency?.median == 10)
        #expect(statistics?.latency?.p99 == 90)
        var early = json
        early["latency"] = ["count": 0, "medianMs": .null, "p99Ms": .null]
        #expect(Statistics(early)?.latency == nil)
        #expect(Statistics(["stored": 5]) == nil)
    }
}
