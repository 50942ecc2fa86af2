/// A measure by which a version is compared with the version before.
package enum RolloutMeasure: Sendable, Hashable {
    /// The share of devices on which the version does not run as it should.
    case broken
    /// The share of events with a fault.
    case faults
    /// The share of events that are dropped.
    case drops
    /// The share of the events for one destination that filters drop. A rule that drops too much for one destination hardly
    /// shows among the events for all.
    case dropsFor(String)
    /// The time for an event, in microseconds.
    case time

    /// The measures of every version.
    static let general: [RolloutMeasure] = [.broken, .faults, .drops, .time]

    /// The measures of a shadow. Events that it would drop are differences, which are announced or not.
    static let ofShadows: [RolloutMeasure] = [.broken, .faults, .time]

    /// The measures of the destinations that both versions have enough reports of.
    package static func destinations(
        _ version: [DeviceHealth], _ before: [DeviceHealth], isEnough: (_ devices: Int, _ events: Int) -> Bool
    ) -> [RolloutMeasure] {
        func enough(_ devices: [DeviceHealth]) -> Set<String> {
            var sums: [String: (devices: Int, events: Int)] = [:]
            for (name, counts) in devices.lazy.flatMap(\.destinations) where counts.events > 0 {
                sums[name, default: (0, 0)].devices += 1
                sums[name]?.events += counts.events
            }
            return Set(sums.filter { isEnough($0.value.devices, $0.value.events) }.keys)
        }
        return enough(version).intersection(enough(before)).sorted().map(RolloutMeasure.dropsFor)
    }

    /// A difference in time that is too small to matter, in microseconds: clocks and devices differ by as much.
    static let smallestTimeChange = 1000.0

    func estimate(of devices: [DeviceHealth]) -> RateEstimate {
        RateEstimate(
            devices.map { device in
                let events = Double(device.events)
                return switch self {
                case .broken: RateEstimate.Part(amount: device.isBroken ? 1 : 0, weight: 1)
                case .faults: RateEstimate.Part(amount: Double(device.faulty), weight: events)
                case .drops: RateEstimate.Part(amount: Double(device.dropped), weight: events)
                case .dropsFor(let destination): Self.part(device.destinations[destination])
                case .time: RateEstimate.Part(amount: Double(device.microseconds), weight: events)
                }
            })
    }

    private static func part(_ counts: FilteredCounts?) -> RateEstimate.Part {
        RateEstimate.Part(amount: Double(counts?.dropped ?? 0), weight: Double(counts?.events ?? 0))
    }

    /// The values that the plan allows, when the version before has this value.
    /// - Parameter before: nil when there is nothing to compare with; then a comparison allows everything.
    package func allowed(by plan: RolloutPlan, before: Double?) -> ClosedRange<Double> {
        switch self {
        case .broken, .faults: 0...max(plan.maximumFaultRate, before ?? 0)
        case .drops, .dropsFor:
            before.map { ($0 - plan.maximumDropChange)...($0 + plan.maximumDropChange) } ?? 0...1
        case .time:
            0...(before.map { max($0 * (1 + plan.maximumTimeChange), $0 + Self.smallestTimeChange) } ?? .infinity)
        }
    }

    /// The value in words.
    package func text(_ value: Double) -> String {
        switch self {
        case .broken, .faults, .drops, .dropsFor: "\((value * 10_000).rounded() / 100) %"
        case .time: "\((value / 10).rounded() / 100) ms"
        }
    }
}
