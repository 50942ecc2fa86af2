import Crypto
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Decisions of a roll-out", .timeLimit(.minutes(30))) struct RolloutDecisionTests {
    private static let seeds = Array(UInt64(1)...40)
    private static let good = SimulatedDevices.Behaviour()

    private let plan: RolloutPlan

    init() throws { plan = try RolloutPlan(stages: [10, 50, 100], hold: 1_800_000) }

    /// A stage that has lasted for the given minutes.
    private func progress(_ minutes: Int64, stage: Int = 0) -> RolloutProgress {
        var progress = RolloutProgress(start: 0)
        for _ in 0..<stage { progress.advance() }
        for minute in stride(from: 1, through: minutes, by: 1) { progress.look(at: minute * 60_000) }
        return progress
    }

    private func decide(
        _ version: HealthSample, before: HealthSample?, minutes: Int64 = 30, stage: Int = 0
    ) -> RolloutDecision {
        RolloutDecision(plan: plan, progress: progress(minutes, stage: stage), version: version, before: before)
    }

    @Test("A version as good as the version before advances, and the roll-out ends after the last stage")
    func good() throws {
        var world = SimulatedDevices(seed: 1)
        let version = world.sample(200, Self.good)
        let before = world.sample(400, Self.good)
        #expect(decide(version, before: before) == .advance(to: 50))
        #expect(decide(version, before: before, stage: 1) == .advance(to: 100))
        #expect(decide(version, before: before, stage: 2) == .finish)
        #expect(decide(version, before: before, minutes: 12) == .wait(.holding(rest: 1_080_000)))
    }

    @Test("A version that is as good as before is never rolled back by chance", arguments: seeds)
    func neverRolledBackByChance(seed: UInt64) {
        var world = SimulatedDevices(seed: seed)
        let before = world.sample(400, Self.good)
        for count in [1, 5, 19, 20, 25, 40, 200, 1500] {
            let decision = decide(world.sample(count, Self.good), before: before)
            if case .rollBack(let reason) = decision { Issue.record("\(count) devices: \(reason.text)") }
        }
    }

    @Test(
        "A version that throws, drops, is slow or does not load is rolled back",
        arguments: [
            (SimulatedDevices.Behaviour(faults: 0.05), RolloutMeasure.faults),
            (SimulatedDevices.Behaviour(drops: 0.3), .drops),
            (SimulatedDevices.Behaviour(drops: 0), .drops),
            (SimulatedDevices.Behaviour(microseconds: 9000), .time),
            (SimulatedDevices.Behaviour(broken: 0.6), .broken),
        ])
    func worse(behaviour: SimulatedDevices.Behaviour, measure: RolloutMeasure) throws {
        var world = SimulatedDevices(seed: 3)
        let before = world.sample(1000, SimulatedDevices.Behaviour(drops: 0.15))
        let decision = decide(
            world.sample(200, behaviour.drops == 0.02 ? behaviour.dropping(0.15) : behaviour), before: before,
            minutes: 1)
        guard case .rollBack(.worse(let finding)) = decision else {
            Issue.record("it was not rolled back: \(decision)")
            return
        }
        #expect(finding.measure == measure)
    }

    @Test("A version with as many faults as the version before is not worse")
    func asFaultyAsBefore() {
        var world = SimulatedDevices(seed: 4)
        let faulty = SimulatedDevices.Behaviour(faults: 0.08)
        #expect(
            decide(world.sample(900, SimulatedDevices.Behaviour(faults: 0.05)), before: world.sample(900, faulty))
                == .advance(to: 50))
    }

    @Test("The first version is judged by its faults alone")
    func firstVersion() {
        var world = SimulatedDevices(seed: 5)
        #expect(decide(world.sample(100, SimulatedDevices.Behaviour(drops: 0.5)), before: nil) == .advance(to: 50))
        let faulty = decide(world.sample(100, SimulatedDevices.Behaviour(faults: 0.2)), before: nil)
        guard case .rollBack = faulty else {
            Issue.record("\(faulty)")
            return
        }
    }

    @Test("Silence and few reports decide nothing, however long they last")
    func silence() {
        var world = SimulatedDevices(seed: 6)
        let before = world.sample(900, Self.good)
        let none = world.sample(0, Self.good)
        #expect(decide(none, before: before, minutes: 10_000) == .wait(.tooFewDevices(0, of: 20)))
        let broken = world.sample(19, SimulatedDevices.Behaviour(faults: 1, broken: 1))
        #expect(decide(broken, before: before, minutes: 10_000) == .wait(.tooFewDevices(19, of: 20)))
        world.events = 1...2
        guard case .wait(.tooFewEvents) = decide(world.sample(90, Self.good), before: before) else {
            Issue.record("few events decided something")
            return
        }
    }

    @Test("A version that keeps devices from reporting does not advance")
    func quietDevices() {
        var world = SimulatedDevices(seed: 7)
        // 10 % of the devices have the version, so 100 devices should report beside 900 other devices.
        let before = world.sample(900, Self.good, named: "before")
        guard case .wait(.silence(let devices, let expected)) = decide(world.sample(40, Self.good), before: before)
        else {
            Issue.record("40 of 100 devices were enough")
            return
        }
        #expect(devices == 40)
        #expect(expected == 100)
        #expect(decide(world.sample(60, Self.good), before: before) == .advance(to: 50))
    }

    @Test("Devices that go over to the version in the middle of a stage do not hold it up")
    func goingOver() throws {
        var world = SimulatedDevices(seed: 11)
        let plan = try RolloutPlan(stages: [50, 80, 100], hold: 0)
        // The stage goes from 50 to 80 of 100 devices: 30 report about the version before once more, and then about the
        // new one. Only 20 keep the version before.
        var before = world.sample(20, Self.good, named: "kept")
        world.add(30, Self.good, named: "moved", to: &before)
        var version = world.sample(50, Self.good, named: "first")
        func decision() -> RolloutDecision {
            RolloutDecision(plan: plan, progress: progress(1, stage: 1), version: version, before: before)
        }
        // Until they report about the new version, they are missed: perhaps it keeps them from it.
        #expect(decision() == .wait(.silence(devices: 50, expected: 200)))
        world.add(30, Self.good, named: "moved", to: &version)
        #expect(decision() == .advance(to: 100))
    }

    @Test("A roll-out waits while the version before has too few reports")
    func fewBefore() {
        var world = SimulatedDevices(seed: 8)
        #expect(
            decide(world.sample(100, Self.good), before: world.sample(10, Self.good)) == .wait(.tooFewBefore))
    }

    @Test("A clock that jumps neither shortens nor lengthens a stage")
    func clocks() {
        var progress = RolloutProgress(start: 1_000_000)
        progress.look(at: 1_060_000)
        progress.look(at: 9_000_000_000)
        #expect(progress.held == 60_000 + RolloutProgress.longestLook)
        progress.look(at: 2_000_000)
        progress.look(at: .min)
        progress.look(at: .max)
        progress.look(at: .max)
        #expect(progress.held == 60_000 + RolloutProgress.longestLook)
        progress.look(at: 5_000_000)
        progress.look(at: 5_060_000)
        #expect(progress.held == 120_000 + RolloutProgress.longestLook)
    }

    // MARK: Devices that lie

    @Test("Lies of a fifth of the devices cannot roll a good version back", arguments: seeds)
    func liarsAgainst(seed: UInt64) {
        var world = SimulatedDevices(seed: seed)
        let before = world.sample(400, Self.good)
        let count = [20, 25, 60, 400][Int(seed % 4)]
        var version = world.sample(count - count / 5, Self.good)
        for number in 0..<(count / 5) {
            version.add(Self.lie(&world.random), of: "liar-\(number)", report: .random(in: 1...9, using: &world.random))
        }
        let decision = decide(version, before: before)
        if case .rollBack(let reason) = decision { Issue.record("rolled back: \(reason.text)") }
    }

    @Test("Lies about the version before cannot roll a good version back either", arguments: seeds)
    func liarsBefore(seed: UInt64) {
        var world = SimulatedDevices(seed: seed)
        var before = world.sample(320, Self.good)
        for number in 0..<80 { before.add(Self.lie(&world.random), of: "liar-\(number)", report: 1) }
        let decision = decide(world.sample(100, Self.good), before: before)
        if case .rollBack(let reason) = decision { Issue.record("rolled back: \(reason.text)") }
    }

    @Test("Lies of a fifth of the devices cannot push a bad version on", arguments: seeds)
    func liarsFor(seed: UInt64) {
        var world = SimulatedDevices(seed: seed)
        let before = world.sample(400, Self.good)
        var version = world.sample(80, SimulatedDevices.Behaviour(faults: 0.05))
        for number in 0..<20 { version.add(DeviceHealth(events: .max), of: "liar-\(number)", report: 1) }
        guard case .rollBack = decide(version, before: before) else {
            Issue.record("\(decide(version, before: before))")
            return
        }
    }

    @Test("A fault on few devices holds the version up until an operator decides")
    func doubt() {
        var world = SimulatedDevices(seed: 9)
        let before = world.sample(400, Self.good)
        var version = world.sample(180, Self.good)
        world.add(20, SimulatedDevices.Behaviour(faults: 1), named: "old system", to: &version)
        guard case .wait(.doubt(let finding)) = decide(version, before: before) else {
            Issue.record("\(decide(version, before: before))")
            return
        }
        #expect(finding.measure == .faults)
    }

    /// The report of a device that lies: always the same lie, or random lies.
    private static func lie(_ random: inout SeededNumbers) -> DeviceHealth {
        let most = Int.max
        return switch Int.random(in: 0..<5, using: &random) {
        case 0: DeviceHealth(events: most, faulty: most, dropped: most, microseconds: most, isBroken: true)
        case 1: DeviceHealth(events: 60, faulty: 60)
        case 2: DeviceHealth(events: 60, dropped: 60)
        case 3: DeviceHealth(events: 60, microseconds: most)
        default: DeviceHealth(events: 0, isBroken: true)
        }
    }

    // MARK: Several roll-outs

    @Test("The reports of one roll-out do not change the decision of another roll-out")
    func two() {
        var world = SimulatedDevices(seed: 10)
        let before = world.sample(400, Self.good)
        let good = world.sample(100, Self.good)
        let bad = world.sample(100, SimulatedDevices.Behaviour(faults: 0.5))
        for _ in 0..<3 {
            #expect(decide(good, before: before) == .advance(to: 50))
            guard case .rollBack = decide(bad, before: before) else {
                Issue.record("\(decide(bad, before: before))")
                return
            }
        }
    }
}

extension SimulatedDevices.Behaviour {
    fileprivate func dropping(_ share: Double) -> Self {
        var result = self
        result.drops = share
        return result
    }
}
