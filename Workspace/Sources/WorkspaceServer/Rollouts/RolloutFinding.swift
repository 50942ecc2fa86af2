/// A measure by which a version is worse than the plan allows.
struct RolloutFinding: Sendable, Equatable {
    let measure: RolloutMeasure
    let value: Double
    /// The value of the version before; nil when there is nothing to compare with.
    let before: Double?
    /// Whether it stays worse however a quarter of the devices lies.
    let isCertain: Bool

    /// Nil when the version is within what the plan allows.
    /// - Parameter before: nil when there is nothing to compare with.
    init?(_ measure: RolloutMeasure, plan: RolloutPlan, version: RateEstimate, before: RateEstimate?) {
        guard !measure.allowed(by: plan, before: before?.all).contains(version.all) else { return nil }
        // Both versions may have devices that lie: the most that could be allowed is compared with the least that is.
        let highest = measure.allowed(by: plan, before: before?.range.upperBound).upperBound
        let lowest = measure.allowed(by: plan, before: before?.range.lowerBound).lowerBound
        self.measure = measure
        value = version.all
        self.before = before?.all
        isCertain = version.range.lowerBound > highest || version.range.upperBound < lowest
    }

    /// The finding as a sentence without its end.
    var text: String {
        let comparison = before.map { ", before it \(measure.text($0))" } ?? ""
        let value = measure.text(value)
        return switch measure {
        case .broken: "the version does not run on \(value) of the devices\(comparison)"
        case .faults: "\(value) of the events have a fault\(comparison)"
        case .drops: "\(value) of the events are dropped\(comparison)"
        case .dropsFor(let destination): "\(value) of the events for \(destination) are dropped\(comparison)"
        case .time: "an event takes \(value)\(comparison)"
        }
    }
}
