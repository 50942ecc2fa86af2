import Testing
import TributaryJSON
import TributaryPluginTrials

/// A recorded session, played into generators.
@Suite struct SignalTrialTests {
    private func signal(_ index: Int, _ screen: String) -> JSON {
        [
            "anonymousId": "a", "type": "navigation", "timestamp": "2026-01-02T03:04:05.006Z",
            "index": .number(JSONNumber(index)), "data": ["action": "entering", "screen": .string(screen)],
        ]
    }

    @Test func eachSignalSaysWhatWasMadeOfIt() throws {
        let trial = try SignalTrial(
            source: """
                function processSignal(signal) {
                    if (signal.data.screen === "bad") throw new Error("no")
                    const own = new RawSignal(SignalType.UserDefined, {})
                    signals.add(own)
                    analytics.track("Seen", { screen: signal.data.screen, next: own.index, id: own.anonymousId })
                }
                """, name: "g.js")
        let first = trial.play(signal(7, "Home"))
        #expect(
            first.lines.map { $0["signal"]?.description } == ["7"]
                && first.lines.first?["event"]?["properties"]?.description == #"{"screen":"Home","next":8,"id":"a"}"#)
        let second = trial.play(signal(9, "bad"))
        #expect(second.events.isEmpty)
        #expect(second.fault?.message.contains("no") == true)
        #expect(!trial.isOver)
        #expect(trial.play(signal(10, "Cart")).events.count == 1)
    }

    @Test func aScriptThatCannotBeLoadedSaysWhere() {
        #expect(throws: TrialError.self) { try SignalTrial(source: "\nfunction {", name: "g.js") }
    }
}
