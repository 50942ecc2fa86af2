import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct StatisticsTests {
    @Test("The median and the 99th percentile are latencies that occurred")
    func quantiles() {
        var statistics = Statistics()
        #expect(statistics.json["latency"] == ["count": 0, "medianMs": .null, "p99Ms": .null])
        statistics.latencies = [7]
        #expect(statistics.json["latency"] == ["count": 1, "medianMs": 7, "p99Ms": 7])
        statistics.latencies = Array(1...200)
        #expect(statistics.json["latency"] == ["count": 200, "medianMs": 100, "p99Ms": 198])
    }
}
