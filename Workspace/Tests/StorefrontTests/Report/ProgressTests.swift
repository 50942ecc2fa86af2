import Testing

@testable import Storefront

@Suite struct ProgressTests {
    @Test("Progress in a file has one line for each tenth of the events")
    func fileOutput() {
        var progress = Progress(total: 200, isTerminal: false)
        let lines = (1...200).compactMap { progress.update($0) }
        #expect(lines.count == 10)
        #expect(lines.first == "storefront: 10 % (20 of 200)\n")
        #expect(lines.last == "storefront: 100 % (200 of 200)\n")
    }

    @Test("Progress on a terminal is a bar that is redrawn only when its look changes")
    func terminalOutput() {
        var progress = Progress(total: 1000, isTerminal: true)
        let lines = (1...1000).compactMap { progress.update($0) }
        #expect(lines.count == 101)
        #expect(lines.allSatisfy { $0.hasPrefix("\r") })
        #expect(lines.last?.hasSuffix("100 %  1000 of 1000\n") == true)
        #expect(lines.dropLast().allSatisfy { !$0.contains("\n") })
    }
}
