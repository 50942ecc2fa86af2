extension RolloutDecision {
    /// Decides whether a shadow is left for the first stage: when enough devices have compared it, it differs as announced,
    /// and it is no worse than the plan allows.
    ///
    /// The workspace never rolls a shadow back, because it touches no event. A finding holds it up until an operator has
    /// looked.
    ///
    /// - Parameters:
    ///   - version: what devices reported about the shadow.
    ///   - before: what they reported about the version beside which it runs.
    package init(
        shadowOf plan: RolloutPlan, announced: [AnnouncedDifference], progress: RolloutProgress, version: HealthSample,
        before: HealthSample?
    ) {
        let devices = version.devices
        let events = devices.reduce(0) { $0 + $1.events }
        let comparison = before?.devices ?? []
        let finding = RolloutMeasure.ofShadows.lazy.compactMap { measure in
            RolloutFinding(
                measure, plan: plan, version: measure.estimate(of: devices),
                before: comparison.count >= plan.minimumDevices ? measure.estimate(of: comparison) : nil)
        }.first
        let differences = ShadowDifferences(of: devices)
        if let difference = differences.mostFrequent(besides: announced) {
            self = .wait(.unannounced(difference.text, events: difference.events, of: events))
        } else if devices.count >= plan.minimumDevices, let finding {
            self = .wait(.shadowIsWorse(finding))
        } else if devices.count < plan.minimumDevices {
            self = .wait(.tooFewDevices(devices.count, of: plan.minimumDevices))
        } else if events < plan.minimumEvents {
            self = .wait(.tooFewEvents(events, of: plan.minimumEvents))
        } else if let missing = announced.first(where: { !differences.has($0) }) {
            self = .wait(.notSeen(missing.text))
        } else if progress.held < plan.hold {
            self = .wait(.holding(rest: plan.hold - progress.held))
        } else {
            self = .advance(to: plan.stages[0])
        }
    }
}

/// The differences that devices have reported about a shadow.
struct ShadowDifferences {
    private var counts: [String: Int] = [:]

    init(of devices: [DeviceHealth]) {
        for (text, count) in devices.lazy.flatMap(\.differences) { counts[text, default: 0] += count }
    }

    /// Whether a difference that is announced was seen.
    func has(_ announced: AnnouncedDifference) -> Bool { counts.keys.contains(where: announced.covers) }

    /// The most frequent difference that is not announced; nil when there is none.
    func mostFrequent(besides announced: [AnnouncedDifference]) -> (text: String, events: Int)? {
        counts.filter { !announced.covers($0.key) }.min { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { ($0.key, $0.value) }
    }
}
