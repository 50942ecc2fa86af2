import Testing

@testable import Demo

@Suite struct DemoEndingTests {
    @Test("what is said of the end is true: only a terminal without --once keeps the workspace up")
    func endings() {
        #expect(DemoEnding(isOnce: false, isTerminal: true) == .onRequest)
        #expect(DemoEnding(isOnce: true, isTerminal: true) == .once)
        #expect(DemoEnding(isOnce: true, isTerminal: false) == .once)
        let other = DemoEnding(isOnce: false, isTerminal: false)
        #expect(other.text == "stops now, because the output is not a terminal; on one it stays up")
    }
}
