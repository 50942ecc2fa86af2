import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Decisions of a roll-out of filters", .timeLimit(.minutes(30))) struct FilterDecisionTests {
    private static let seeds = Array(UInt64(1)...40)

    private let plan: RolloutPlan
    private let progress: RolloutProgress

    init() throws {
        plan = try RolloutPlan(stages: [10, 50, 100], hold: 60_000)
        var progress = RolloutProgress(start: 0)
        progress.look(at: 60_000)
        self.progress = progress
    }

    private func decide(_ version: HealthSample, before: HealthSample?) -> RolloutDecision {
        RolloutDecision(plan: plan, progress: progress, version: version, before: before)
    }

    /// A sample of devices that report about destinations, each with its share of dropped events.
    private func sample(
        _ count: Int, _ random: inout SeededNumbers, _ drops: [String: Double], named name: String = "d"
    ) -> HealthSample {
        var sample = HealthSample()
        for number in 0..<count { sample.add(Self.health(&random, drops), of: "\(name)-\(number)", report: 1) }
        return sample
    }

    private static func health(_ random: inout SeededNumbers, _ drops: [String: Double]) -> DeviceHealth {
        let events = Int.random(in: 20...60, using: &random)
        var destinations: [String: FilteredCounts] = [:]
        for (name, share) in drops.sorted(by: { $0.key < $1.key }) {
            let dropped = (0..<events).count { _ in Double.random(in: 0..<1, using: &random) < share }
            destinations[name] = FilteredCounts(events: events, dropped: dropped)
        }
        return DeviceHealth(
            events: events * drops.count, dropped: destinations.values.reduce(0) { $0 + $1.dropped },
            destinations: destinations)
    }

    @Test("A rule that drops too much for one destination is found, also when the drops are few among all events")
    func oneDestination() {
        var random = SeededNumbers(seed: 1)
        let good = Dictionary(uniqueKeysWithValues: (0..<10).map { ("D\($0)", 0.05) })
        let before = sample(300, &random, good)
        #expect(decide(sample(100, &random, good), before: before) == .advance(to: 50))
        let bad = good.merging(["D3": 0.2]) { $1 }
        guard case .rollBack(.worse(let finding)) = decide(sample(100, &random, bad), before: before) else {
            Issue.record("it was not rolled back")
            return
        }
        #expect(finding.measure == .dropsFor("D3"))
        // One destination loses more events and another destination fewer: the sum is the same.
        let swapped = good.merging(["D3": 0.1, "D4": 0]) { $1 }
        guard case .rollBack = decide(sample(100, &random, swapped), before: before) else {
            Issue.record("it was not rolled back")
            return
        }
    }

    @Test("Rules that are as good as before are never rolled back by chance", arguments: seeds)
    func chance(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let drops = ["A": 0.02, "B": 0.3, "C": 0, "D": 1]
        let before = sample(400, &random, drops)
        for count in [1, 5, 20, 25, 60, 300] {
            let decision = decide(sample(count, &random, drops), before: before)
            if case .rollBack(let reason) = decision { Issue.record("\(count) devices: \(reason.text)") }
        }
    }

    @Test(
        "Lies of a fifth of the devices cannot roll good rules back, also for a destination that only they have",
        arguments: seeds)
    func liars(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let good = ["A": 0.02, "B": 0.3]
        var before = sample(240, &random, good)
        var version = sample(120, &random, good)
        for number in 0..<60 { before.add(Self.lie(dropped: 0), of: "liar-before-\(number)", report: 1) }
        for number in 0..<30 { version.add(Self.lie(dropped: .max), of: "liar-\(number)", report: 1) }
        let decision = decide(version, before: before)
        if case .rollBack(let reason) = decision { Issue.record("rolled back: \(reason.text)") }
    }

    private static func lie(dropped: Int) -> DeviceHealth {
        DeviceHealth(events: 60, destinations: ["Invented": FilteredCounts(events: 60, dropped: dropped)])
    }

    @Test("A destination that few devices have, or that few events come to, decides nothing")
    func rareDestination() {
        var random = SeededNumbers(seed: 3)
        var before = sample(200, &random, ["A": 0.02])
        var version = sample(100, &random, ["A": 0.02])
        for number in 0..<19 {
            before.add(Self.lie(dropped: 0), of: "rare-\(number)", report: 1)
            version.add(Self.lie(dropped: 60), of: "rare-\(number)", report: 1)
        }
        #expect(decide(version, before: before) == .advance(to: 50))
    }

    @Test("A device has counts of its own for a bounded number of destinations")
    func bounded() {
        var health = DeviceHealth(events: 0)
        for number in 0..<1000 {
            health.add(
                DeviceHealth(
                    events: 1, destinations: ["D\(number)": FilteredCounts(events: .max, dropped: .max)]))
        }
        #expect(health.destinations.count == DeviceHealth.mostDestinations)
        #expect(health.destinations.values.allSatisfy { $0.dropped == $0.events && $0.events == 1_000_000 })
    }

    // MARK: Two roll-outs at once

    /// Devices during a roll-out of a bundle that changes the drops of filters.
    private struct World {
        var random: SeededNumbers
        /// The share of events that the rules drop on a device with and without the staged bundle.
        let withBundle: Double
        let without: Double
        /// The share that the new rules drop beyond the rules before.
        let extra: Double

        /// The samples of new rules and rules before, after some looks in which the bundle goes to more devices.
        mutating func samples(
            _ count: Int, bundlePercentages: [Int]
        ) throws -> (new: HealthSample, before: HealthSample) {
            var (new, before) = (HealthSample(), HealthSample())
            for (look, percentage) in bundlePercentages.enumerated() {
                for number in 0..<count {
                    let device = "device-\(number)"
                    let hasBundle = Rollout.has(device, of: .livePlugins, version: 5, percentage: percentage)
                    let hasRules = Rollout.has(device, of: .filters, version: 5, percentage: 50)
                    guard try FilterDecisionTests.isComparable([hasBundle ? "5" : "4"], bundle: 4) else { continue }
                    let share = (hasBundle ? withBundle : without) + (hasRules ? extra : 0)
                    let health = FilterDecisionTests.health(&random, ["Segment.io": share])
                    if hasRules {
                        new.add(health, of: device, report: Int64(look + 1))
                    } else {
                        before.add(health, of: device, report: Int64(look + 1))
                    }
                }
            }
            return (new, before)
        }
    }

    @Test(
        "A concurrent roll-out of a bundle does not change the judgement of filters",
        arguments: seeds)
    func two(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let percentages = [5, 20, 50, 80].prefix(Int.random(in: 1...4, using: &random))
        var good = World(random: random, withBundle: 0.9, without: 0.05, extra: 0)
        let (new, before) = try good.samples(400, bundlePercentages: Array(percentages))
        let decision = decide(new, before: before)
        if case .rollBack(let reason) = decision { Issue.record("good rules: \(reason.text)") }
        var bad = World(random: random, withBundle: 0, without: 0.05, extra: 0.3)
        let (worse, than) = try bad.samples(400, bundlePercentages: Array(percentages))
        guard case .rollBack = decide(worse, before: than) else {
            Issue.record("bad rules: \(decide(worse, before: than))")
            return
        }
    }

    @Test(
        "Reports count when they name the bundle for all devices and nothing else, or when the app has no live plugins")
    func grounds() throws {
        #expect(try Self.isComparable([], bundle: nil))
        #expect(try Self.isComparable([], bundle: 4))
        #expect(try Self.isComparable(["4"], bundle: 4))
        #expect(try !Self.isComparable(["4", "fallback"], bundle: 4))
        #expect(try !Self.isComparable(["4", "5"], bundle: 4))
        #expect(try Self.isComparable(["fallback"], bundle: nil))
        #expect(try !Self.isComparable(["1"], bundle: nil))
    }

    @Test("Events before a device's first bundle are not compared with events that the bundle changed")
    func beforePlugins() throws {
        #expect(try !Self.isComparable(["4"], bundle: 4, isBeforePlugins: true))
        #expect(try !Self.isComparable([], bundle: 4, isBeforePlugins: true))
        #expect(try Self.isComparable([], bundle: nil, isBeforePlugins: true))
    }

    /// Whether a report with these versions of live plugins counts.
    private static func isComparable(
        _ versions: [String], bundle: Int64?, isBeforePlugins: Bool = false
    ) throws -> Bool {
        let json: JSON = [
            "instanceId": "i", "number": 1,
            "versions": .array(versions.map { ["version": .string($0), "events": 50] }),
            "filters": [["version": "1", "isBeforePlugins": .bool(isBeforePlugins)]],
        ]
        let report = try DeviceReport(json.encoded())
        return report.isComparable(try #require(report.filters.first), bundle: bundle)
    }
}
