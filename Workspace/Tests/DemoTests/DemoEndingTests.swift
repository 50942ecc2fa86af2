import Testing

@testable import Demo

@Suite struct DemoEndingTests {
    @Test("Only a terminal without --once keeps the demo's workspace running, and the help says so")
    func endings() {
        #expect(DemoEnding(isOnce: false, isTerminal: true) == .onRequest)
        #expect(DemoEnding(isOnce: true, isTerminal: true) == .once)
        #expect(DemoEnding(isOnce: true, isTerminal: false) == .once)
        let other = DemoEnding(isOnce: false, isTerminal: false)
        #expect(other.text == "stops now, because the output is not a terminal; on one it stays up")
    }
}
