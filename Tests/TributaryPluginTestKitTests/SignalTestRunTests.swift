import Testing
import TributaryJSON
import TributaryPluginTestKit

/// A recorded session, played into generators.
@Suite struct SignalTestRunTests {
    private func signal(_ index: Int, _ screen: String) -> JSON {
        [
            "anonymousId": "a", "type": "navigation", "timestamp": "2026-01-02T03:04:05.006Z",
            "index": .number(JSONNumber(index)), "data": ["action": "entering", "screen": .string(screen)],
        ]
    }

    @Test("Each played signal has its events and its fault, and the next signal is played too")
    func playedSignals() throws {
        let testRun = try SignalTestRun(
            source: """
                function processSignal(signal) {
                    if (signal.data.screen === "bad") throw new Error("no")
                    const own = new RawSignal(SignalType.UserDefined, {})
                    signals.add(own)
                    analytics.track("Seen", { screen: signal.data.screen, next: own.index, id: own.anonymousId })
                }
                """, name: "g.js")
        let first = testRun.play(signal(7, "Home"))
        #expect(
            first.lines.map { $0["signal"]?.description } == ["7"]
                && first.lines.first?["event"]?["properties"]?.description == #"{"screen":"Home","next":8,"id":"a"}"#)
        let second = testRun.play(signal(9, "bad"))
        #expect(second.events.isEmpty)
        #expect(second.fault?.message.contains("no") == true)
        #expect(!testRun.isOver)
        #expect(testRun.play(signal(10, "Cart")).events.count == 1)
    }

    @Test("A script that cannot be loaded is an error")
    func loadError() {
        #expect(throws: PluginTestError.self) { try SignalTestRun(source: "\nfunction {", name: "g.js") }
    }
}
