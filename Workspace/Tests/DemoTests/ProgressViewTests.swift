import Testing

@testable import Demo

@Suite struct ProgressViewTests {
    private func statistics(_ stored: Int, _ dropped: Int) -> Statistics {
        var statistics = Statistics()
        statistics.stored = stored
        statistics.tracedDrops = dropped
        return statistics
    }

    @Test("Progress in a file has one line for each tenth of the events")
    func fileOutput() {
        var view = ProgressView(total: 1000, isTerminal: false)
        #expect(view.update(statistics(50, 40)) == nil)
        #expect(view.update(statistics(90, 12)) == "  10 %  90 stored, 12 dropped\n")
        #expect(view.update(statistics(100, 12)) == nil)
        #expect(view.update(statistics(950, 50)) == "  100 %  950 stored, 50 dropped\n")
    }

    @Test("Progress on a terminal is one line that is redrawn when its numbers change")
    func terminalOutput() {
        var view = ProgressView(total: 1000, isTerminal: true)
        let line = view.update(statistics(400, 100)) ?? ""
        #expect(line.hasPrefix("\r"))
        #expect(line.hasSuffix("50 %  400 stored, 100 dropped"))
        #expect(line.count { $0 == "█" } == line.count { $0 == "░" })
        #expect(view.update(statistics(400, 100)) == nil)
    }

    @Test("Progress ends at 100 % when more events come than expected")
    func moreThanExpected() {
        var view = ProgressView(total: 10, isTerminal: false)
        #expect(view.update(statistics(20, 0)) == "  100 %  20 stored, 0 dropped\n")
    }
}
