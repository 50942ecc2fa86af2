@testable import WorkspaceCore
@testable import WorkspaceServer

/// Devices that run a version and report, with chances that the test sets.
struct SimulatedDevices {
    /// How a version behaves on a device.
    struct Behaviour {
        var faults = 0.0
        var drops = 0.02
        var microseconds = 300
        /// The share of devices on which the version does not run.
        var broken = 0.0
    }

    var random: SeededNumbers
    /// How many events a device reports each time.
    var events = 5...60

    init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    /// A sample with one report of each device.
    mutating func sample(_ count: Int, _ behaviour: Behaviour, named name: String = "d") -> HealthSample {
        var sample = HealthSample()
        add(count, behaviour, named: name, to: &sample)
        return sample
    }

    mutating func add(
        _ count: Int, _ behaviour: Behaviour, named name: String = "d", report: Int64 = 1, to sample: inout HealthSample
    ) {
        for number in 0..<count {
            sample.add(health(behaviour), of: "\(name)-\(number)", report: report)
        }
    }

    private mutating func health(_ behaviour: Behaviour) -> DeviceHealth {
        let events = Int.random(in: events, using: &random)
        return DeviceHealth(
            events: events, faulty: hits(events, behaviour.faults), dropped: hits(events, behaviour.drops),
            microseconds: events * behaviour.microseconds * Int.random(in: 5...15, using: &random) / 10,
            isBroken: hits(1, behaviour.broken) == 1)
    }

    private mutating func hits(_ count: Int, _ chance: Double) -> Int {
        (0..<count).count { _ in Double.random(in: 0..<1, using: &random) < chance }
    }
}
