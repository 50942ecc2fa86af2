import Testing
import TributaryJSON

@testable import TributaryDebug

@Suite("What the debug overlay keeps")
struct DebugLogTests {
    private func trace(_ number: Int, name: String = "A", steps: [JSON] = []) -> JSON {
        [
            "messageId": .string("m-\(number)"), "type": "track", "event": .string(name), "trackedAt": "t",
            "outcome": "sent", "stages": .array(steps),
        ]
    }

    @Test("A newer event replaces the oldest one, and the count goes on")
    func events() {
        var log = DebugLog()
        for number in 1...DebugLimits.events + 20 { log.add(trace: trace(number)) }
        #expect(log.events.count == DebugLimits.events)
        #expect(log.events.first?.messageId == "m-\(DebugLimits.events + 20)")
        #expect(log.events.last?.messageId == "m-21")
        #expect(log.recordedEvents == DebugLimits.events + 20)
    }

    @Test("Events with the same message id are two events")
    func sameId() {
        var log = DebugLog()
        log.add(trace: trace(1))
        log.add(trace: trace(1))
        #expect(log.events.map { $0.id } == [2, 1])
    }

    @Test("Steps, changes and texts have limits")
    func limits() {
        let change: JSON = ["path": "p", "before": .string(String(repeating: "x", count: 2000)), "after": 2]
        let step: JSON = [
            "stage": "enrichment", "plugin": "P", "outcome": "changed",
            "changes": .array(Array(repeating: change, count: 90)),
            "note": .string(String(repeating: "n", count: 2000)),
        ]
        var log = DebugLog()
        log.add(
            trace: trace(
                1, name: String(repeating: "é", count: 9000), steps: Array(repeating: step, count: 200)))
        let event = log.events.first
        #expect(event?.name?.count == DebugLimits.letters + 1)
        #expect(event?.steps.count == DebugLimits.steps)
        #expect(event?.steps.first?.changes.count == DebugLimits.changes)
        #expect(event?.steps.first?.changes.first?.before?.count == DebugLimits.letters + 1)
        #expect(event?.steps.first?.note?.count == DebugLimits.letters + 1)
    }

    @Test("A trace that has not the expected form is left out or has empty texts")
    func hostile() {
        var log = DebugLog()
        log.add(trace: .null)
        log.add(trace: ["messageId": 1])
        #expect(log.events.isEmpty && log.recordedEvents == 0)
        log.add(trace: ["messageId": "m", "stages": "none", "event": 7])
        log.add(trace: ["messageId": "m", "stages": [1, ["changes": 2]]])
        #expect(log.events.map { $0.steps.count } == [2, 0])
        #expect(log.events.map { DebugText.title($0) } == ["unknown, dropped", "unknown, dropped"])
    }
}
