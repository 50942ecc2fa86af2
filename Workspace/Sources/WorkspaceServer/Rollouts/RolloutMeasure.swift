/// What is measured of a version, to know whether it is worse than the one before.
enum RolloutMeasure: String, Sendable, CaseIterable {
    /// The share of devices on which the version does not run as it should.
    case broken
    /// The share of events with a fault.
    case faults
    /// The share of events that are dropped.
    case drops
    /// The time for an event, in microseconds.
    case time

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
                case .time: RateEstimate.Part(amount: Double(device.microseconds), weight: events)
                }
            })
    }

    /// The values that the plan allows, when the version before has this value.
    /// - Parameter before: nil when there is nothing to compare with; then a comparison allows everything.
    func allowed(by plan: RolloutPlan, before: Double?) -> ClosedRange<Double> {
        switch self {
        case .broken, .faults: 0...max(plan.maximumFaultRate, before ?? 0)
        case .drops:
            before.map { ($0 - plan.maximumDropChange)...($0 + plan.maximumDropChange) } ?? 0...1
        case .time:
            0...(before.map { max($0 * (1 + plan.maximumTimeChange), $0 + Self.smallestTimeChange) } ?? .infinity)
        }
    }

    /// The value in words.
    func text(_ value: Double) -> String {
        switch self {
        case .broken, .faults, .drops: "\((value * 10_000).rounded() / 100) %"
        case .time: "\((value / 10).rounded() / 100) ms"
        }
    }
}
