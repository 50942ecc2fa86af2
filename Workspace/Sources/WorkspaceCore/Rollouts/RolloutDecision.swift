/// The next step of a roll-out.
package enum RolloutDecision: Sendable, Equatable {
    case wait(RolloutReason)
    /// The next stage, with its percentage.
    case advance(to: Int)
    /// The last stage went well: the roll-out is over.
    case finish
    case rollBack(RolloutReason)

    /// Decides by what is known now; the same each time for the same reports.
    ///
    /// - Silence and few reports decide nothing.
    /// - The version is rolled back when it is worse than allowed, also if a quarter of the devices lies.
    /// - When it is worse by what all devices say, but a quarter could have made that up, the roll-out waits for an
    ///   operator. So a few devices that lie, or a fault on few devices, hold it up and do not undo it.
    ///
    /// - Parameters:
    ///   - version: the reports of the present stage.
    ///   - before: the reports of the version before, since the start of the roll-out; nil when no version was for all.
    package init(plan: RolloutPlan, progress: RolloutProgress, version: HealthSample, before: HealthSample?) {
        let devices = version.devices
        guard devices.count >= plan.minimumDevices else {
            self = .wait(.tooFewDevices(devices.count, of: plan.minimumDevices))
            return
        }
        let comparison = before?.devices ?? []
        let isComparable = Self.isEnough(comparison, plan)
        let findings = Self.measures(devices, comparison, plan).compactMap { measure in
            RolloutFinding(
                measure, plan: plan, version: measure.estimate(of: devices),
                before: isComparable ? measure.estimate(of: comparison) : nil)
        }
        if let finding = findings.first(where: \.isCertain) {
            self = .rollBack(.worse(finding))
        } else if let finding = findings.first {
            self = .wait(.doubt(finding))
        } else if let reason = Self.reasonToWait(plan, progress, version, before, isComparable: isComparable) {
            self = .wait(reason)
        } else {
            let next = progress.stage + 1
            self = next < plan.stages.count ? .advance(to: plan.stages[next]) : .finish
        }
    }

    /// Whether it goes on only when an operator has looked.
    var needsOperator: Bool {
        switch self {
        case .wait(.doubt), .wait(.unannounced), .wait(.shadowIsWorse): true
        default: false
        }
    }

    /// Why it is decided so.
    package var reason: RolloutReason {
        switch self {
        case .wait(let reason), .rollBack(let reason): reason
        case .advance, .finish: .healthy
        }
    }

    /// The measures that have enough reports.
    private static func measures(
        _ devices: [DeviceHealth], _ before: [DeviceHealth], _ plan: RolloutPlan
    ) -> [RolloutMeasure] {
        guard isEnough(devices, plan) else { return [.broken] }
        return RolloutMeasure.general
            + RolloutMeasure.destinations(devices, before) { isEnough(devices: $0, events: $1, plan) }
    }

    private static func isEnough(_ devices: [DeviceHealth], _ plan: RolloutPlan) -> Bool {
        isEnough(devices: devices.count, events: events(devices), plan)
    }

    private static func isEnough(devices: Int, events: Int, _ plan: RolloutPlan) -> Bool {
        devices >= plan.minimumDevices && events >= plan.minimumEvents
    }

    private static func events(_ devices: [DeviceHealth]) -> Int { devices.reduce(0) { $0 + $1.events } }

    /// Nil when a version without findings may advance.
    private static func reasonToWait(
        _ plan: RolloutPlan, _ progress: RolloutProgress, _ version: HealthSample, _ before: HealthSample?,
        isComparable: Bool
    ) -> RolloutReason? {
        let events = events(version.devices)
        guard events >= plan.minimumEvents else { return .tooFewEvents(events, of: plan.minimumEvents) }
        guard isComparable || before == nil else { return .tooFewBefore }
        let stage = plan.stages[min(progress.stage, plan.stages.count - 1)]
        if let before, let reason = silence(version, before, percentage: stage) { return reason }
        guard progress.held >= plan.hold else { return .holding(rest: plan.hold - progress.held) }
        return nil
    }

    /// At least half of the devices that should have the version report it, as far as the other devices show it.
    private static func silence(
        _ version: HealthSample, _ before: HealthSample, percentage: Int
    ) -> RolloutReason? {
        guard percentage < 100 else { return nil }
        let reporting = version.devicesInStage()
        let expected = before.devicesInStage(without: version) * Double(percentage) / Double(100 - percentage)
        guard reporting < expected / 2 else { return nil }
        return .silence(devices: Int(reporting), expected: Int(min(expected, 1e15)))
    }
}

/// Why a roll-out is decided as it is.
package enum RolloutReason: Sendable, Equatable {
    /// The stage has not lasted long enough; the rest is in milliseconds.
    case holding(rest: Int64)
    case tooFewDevices(Int, of: Int)
    case tooFewEvents(Int, of: Int)
    /// The version before it, with which it is compared, has too few devices or events.
    case tooFewBefore
    /// Fewer devices report than should by the percentage. Perhaps the version keeps them from it.
    case silence(devices: Int, expected: Int)
    /// It is worse by what all devices say, but not certainly: a quarter of them could have made it up.
    case doubt(RolloutFinding)
    case worse(RolloutFinding)
    /// A shadow differs from the version before in a way that was not announced.
    case unannounced(String, events: Int, of: Int)
    /// A difference of the shadow that was announced was not seen yet.
    case notSeen(String)
    /// A shadow is worse than the plan allows.
    case shadowIsWorse(RolloutFinding)
    case healthy
    /// An operator paused it.
    case paused

    /// The reason as a sentence without its end.
    package var text: String {
        switch self {
        case .holding(let rest): "the stage lasts \((rest + 59_999) / 60_000) min longer"
        case .tooFewDevices(let count, let minimum): "\(count) of at least \(minimum) devices have reported"
        case .tooFewEvents(let count, let minimum): "\(count) of at least \(minimum) events are reported"
        case .tooFewBefore: "the version before it has too few reports to compare with"
        case .silence(let devices, let expected): "\(devices) devices report, where about \(expected) should"
        case .doubt(let finding): "\(finding.text); too few devices say so to roll back, so an operator has to look"
        case .worse(let finding): finding.text
        case .unannounced(let difference, let events, let all):
            "\(difference) was not announced, and \(events) of \(all) compared events show it; an operator has to announce "
                + "it, or take the version back"
        case .notSeen(let difference): "\(difference) is announced, and no device has shown it yet"
        case .shadowIsWorse(let finding): "\(finding.text); an operator has to look"
        case .healthy: "it is no worse than the plan allows"
        case .paused: "it is paused"
        }
    }
}

/// A measure by which a version is worse than the plan allows.
package struct RolloutFinding: Sendable, Equatable {
    let measure: RolloutMeasure
    package let value: Double
    /// The value of the version before; nil when there is nothing to compare with.
    package let before: Double?
    /// Whether it stays worse however a quarter of the devices lies.
    package let isCertain: Bool

    /// Nil when the version is within what the plan allows.
    /// - Parameter before: nil when there is nothing to compare with.
    package init?(_ measure: RolloutMeasure, plan: RolloutPlan, version: RateEstimate, before: RateEstimate?) {
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
    package var text: String {
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
