import Testing
import TributaryJSON

@testable import WorkspaceCore

@Suite("Decisions about a shadow", .timeLimit(.minutes(30))) struct ShadowDecisionTests {
    private let plan: RolloutPlan

    init() throws {
        plan = try RolloutPlan(stages: [10, 100], hold: 60_000, minimumDevices: 20, minimumEvents: 500, shadow: 10)
    }

    private func sample(
        _ devices: Int, faulty: Int = 0, microseconds: Int = 30_000, differences: [String: Int] = [:]
    ) -> HealthSample {
        var sample = HealthSample()
        for device in 0..<devices {
            let health = DeviceHealth(
                events: 100, faulty: faulty, microseconds: microseconds, differences: differences)
            sample.add(health, of: "d-\(device)", report: 1)
        }
        return sample
    }

    private func decide(
        _ shadow: HealthSample, announced: [String] = [], held: Int64 = 60_000, before: HealthSample? = nil
    ) throws -> RolloutDecision {
        var progress = RolloutProgress(start: 0, isShadow: true)
        progress.look(at: held)
        return RolloutDecision(
            shadowOf: plan, announced: try AnnouncedDifference.list(announced), progress: progress, version: shadow,
            before: before)
    }

    @Test("A shadow without differences is left for the first stage, after its time and with enough reports")
    func same() throws {
        #expect(try decide(sample(20)) == .advance(to: 10))
        #expect(try decide(sample(19)) == .wait(.tooFewDevices(19, of: 20)))
        #expect(try decide(sample(20), held: 20_000) == .wait(.holding(rest: 40_000)))
    }

    @Test("A difference that is not announced holds it up, and the most frequent one is named")
    func unannounced() throws {
        let shadow = sample(20, differences: ["changed:Checkout:properties.total": 3, "dropped:Debug": 1])
        let decision = try decide(shadow)
        #expect(decision == .wait(.unannounced("changed:Checkout:properties.total", events: 60, of: 2000)))
        #expect(decision.needsOperator)
        #expect(
            try decide(shadow, announced: ["changed:Checkout:*"])
                == .wait(.unannounced("dropped:Debug", events: 20, of: 2000)))
        #expect(try decide(shadow, announced: ["changed:Checkout:*", "dropped:Debug"]) == .advance(to: 10))
        // One device is enough: nothing is lost by a look.
        var one = sample(20)
        one.add(DeviceHealth(events: 5, differences: ["made:First Open": 1]), of: "other", report: 1)
        #expect(try decide(one).needsOperator)
    }

    @Test("Differences beyond those that are named are announced by * alone")
    func more() throws {
        let shadow = sample(20, differences: [DeviceHealth.moreDifferences: 2])
        #expect(try decide(shadow, announced: ["changed:*", "made:*", "dropped:*"]).needsOperator)
        #expect(try decide(shadow, announced: ["*"]) == .advance(to: 10))
    }

    @Test("An announced difference that no device has shown is waited for")
    func notSeen() throws {
        #expect(try decide(sample(20), announced: ["dropped:Debug"]) == .wait(.notSeen("dropped:Debug")))
    }

    @Test("A shadow that fails or is too slow is held up, and never rolled back")
    func worse() throws {
        let before = sample(40)
        guard case .wait(.shadowIsWorse(let faults)) = try decide(sample(20, faulty: 10), before: before) else {
            Issue.record("a shadow with faults goes on")
            return
        }
        #expect(faults.measure == .faults)
        guard case .wait(.shadowIsWorse(let time)) = try decide(sample(20, microseconds: 900_000), before: before)
        else {
            Issue.record("a slow shadow goes on")
            return
        }
        #expect(time.measure == .time)
    }

    @Test("An announced difference has a form, and lists have a limit")
    func forms() throws {
        for text in ["changed:Order Completed:properties.total", "dropped:Debug*", "made:A", "*"] {
            #expect(try AnnouncedDifference(text).text == text)
        }
        for text in ["", "changed:", "changed", "renamed:A", "dropped:" + String(repeating: "x", count: 200)] {
            #expect(throws: Refusal.self) { try AnnouncedDifference(text) }
        }
        #expect(throws: Refusal.self) { try AnnouncedDifference.list((0...100).map { "dropped:\($0)" }) }
        #expect(try AnnouncedDifference.list(["made:A", "", "made:A"]).count == 1)
    }

    @Test("Differences of a device are added up, cut off at their limit, and stored")
    func sums() {
        var health = DeviceHealth(events: 10, differences: ["dropped:A": 1])
        health.add(DeviceHealth(events: 10, differences: ["dropped:A": 2, "made:B": 1]))
        #expect(health.differences == ["dropped:A": 3, "made:B": 1])
        #expect(DeviceHealth(health.json) == health)
        for number in 0..<60 { health.add(DeviceHealth(events: 1, differences: ["made:\(number)": 1])) }
        #expect(health.differences.count <= DeviceHealth.mostDifferences + 1)
        #expect(health.differences[DeviceHealth.moreDifferences] ?? 0 > 0)
    }
}
