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

    @Test("The guide's generator makes fewer events of unreadable signals, and they are recognised")
    func unreadableSignals() throws {
        let generator = """
            function processSignal(signal) {
                if (signal.type === SignalType.Navigation) analytics.screen("Screen Viewed")
                if (signal.type === SignalType.Interaction && signal.data.title === "Add To Cart") analytics.track("Add To Cart")
            }
            """
        let tap = { (title: String) -> JSON in
            ["anonymousId": "a", "type": "interaction", "data": ["component": "button", "title": .string(title)]]
        }
        let onDevice = [signal(0, "Home"), tap("Add To Cart")]
        let stored = [signal(0, "Home"), tap("XXX XX XXXX")]
        let count = { (signals: [JSON]) in
            let testRun = try SignalTestRun(source: generator, name: "g.js")
            return signals.reduce(0) { $0 + testRun.play($1).events.count }
        }
        #expect(try count(onDevice) == 2)
        #expect(try count(stored) == 1)
        #expect(onDevice.map(SignalTestRun.isUnreadable) == [false, false])
        #expect(stored.map(SignalTestRun.isUnreadable) == [false, true])
    }
}
