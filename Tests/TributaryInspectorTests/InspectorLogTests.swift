import Testing
import TributaryJSON

@testable import TributaryInspector

@Suite("The recording of the inspector")
struct InspectorLogTests {
    private func trace(_ number: Int, name: String = "A", steps: [JSON] = []) -> JSON {
        [
            "messageId": .string("m-\(number)"), "type": "track", "event": .string(name), "trackedAt": "t",
            "outcome": "sent", "stages": .array(steps),
        ]
    }

    @Test("A newer event replaces the oldest one, and the count goes on")
    func events() {
        var log = InspectorLog()
        for number in 1...InspectorLimits.events + 20 { log.add(trace: trace(number)) }
        #expect(log.events.count == InspectorLimits.events)
        #expect(log.events.first?.messageId == "m-\(InspectorLimits.events + 20)")
        #expect(log.events.last?.messageId == "m-21")
        #expect(log.recordedEvents == InspectorLimits.events + 20)
    }

    @Test("Events with the same message id are two events")
    func sameId() {
        var log = InspectorLog()
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
        var log = InspectorLog()
        log.add(
            trace: trace(
                1, name: String(repeating: "é", count: 9000), steps: Array(repeating: step, count: 200)))
        let event = log.events.first
        #expect(event?.name?.count == InspectorLimits.letters + 1)
        #expect(event?.steps.count == InspectorLimits.steps)
        #expect(event?.steps.first?.changes.count == InspectorLimits.changes)
        #expect(event?.steps.first?.changes.first?.before?.count == InspectorLimits.letters + 1)
        #expect(event?.steps.first?.note?.count == InspectorLimits.letters + 1)
    }

    @Test("A trace that has not the expected form is left out or has empty texts")
    func hostile() {
        var log = InspectorLog()
        log.add(trace: .null)
        log.add(trace: ["messageId": 1])
        #expect(log.events.isEmpty && log.recordedEvents == 0)
        log.add(trace: ["messageId": "m", "stages": "none", "event": 7])
        log.add(trace: ["messageId": "m", "stages": [1, ["changes": 2]]])
        #expect(log.events.map { $0.steps.count } == [2, 0])
        #expect(log.events.map { InspectorText.title($0) } == ["unknown, dropped", "unknown, dropped"])
    }

    @Test("Signals have limits, and one without the expected form is shown as far as it goes")
    func signals() {
        var log = InspectorLog()
        log.add(signal: .null)
        #expect(log.signals.map { $0.type } == ["unknown"])
        for number in 1...InspectorLimits.signals + 20 {
            log.add(signal: [
                "type": "interaction", "data": ["text": .string(String(repeating: "x", count: number * 10))],
            ])
        }
        #expect(log.signals.count == InspectorLimits.signals)
        #expect(log.recordedSignals == InspectorLimits.signals + 21)
        #expect(log.signals.first?.data.count == InspectorLimits.letters + 1)
    }
}
