import ArgumentParser
import Foundation

/// How a version is rolled out.
struct PlanOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Roll out in stages, such as 1%,10%,50%,100%, or to one share of the devices, such as 5%.",
            discussion: """
                Live plugins that go to one share stay there until `tributary plugin widen` gives them to more \
                devices. With stages, the workspace goes from stage to stage when enough devices have reported and \
                the version is no worse than the one before it. It rolls a worse version back. `tributary plugin \
                rollout` and `tributary filter rollout` show the progress.
                """))
    var rollout: Stages?

    @Option(
        help: ArgumentHelp(
            "Live plugins: the share of devices that run the version as a shadow before the first stage, such as 10%.",
            discussion: """
                A shadow runs beside the version before and touches no event. Devices count how its outcome differs, by event \
                and field. The first stage begins when it differs only as --announce says.
                """))
    var shadow: Share?

    @Option(
        help: ArgumentHelp(
            "Live plugins: how the shadow is expected to differ; may be given several times.",
            discussion: "changed:EVENT:FIELD, dropped:EVENT or made:EVENT. A * at the end matches any text."))
    var announce: [String] = []

    @Option(help: "How long each stage lasts at least: 90s, 30m, 12h, 2d; by default 30m.")
    var hold: Span?

    @Option(
        help:
            "The largest share of events with a fault, and of devices on which it does not run; by default 0.5%."
    )
    var maxFaultRate: Share?

    @Option(help: "How far the share of dropped events may differ from that of the version before; by default 2%.")
    var maxDropChange: Share?

    @Option(help: "Live plugins: how much longer an event may take than with the version before; by default 100%.")
    var maxTimeChange: Share?

    @Option(help: "How many devices must have reported in a stage; by default 20.")
    var minDevices: Int?

    @Option(help: "How many events they must have reported; by default 1000.")
    var minEvents: Int?

    func validate() throws {
        let others: [Any?] = [hold, maxFaultRate, maxDropChange, maxTimeChange, minDevices, minEvents, shadow]
        if rollout == nil || sharePercentage != nil, others.contains(where: { $0 != nil }) {
            throw ValidationError("the options of a plan need --rollout with stages up to 100%")
        }
        if shadow == nil, !announce.isEmpty { throw ValidationError("--announce needs --shadow") }
    }

    /// The share of devices of a roll-out without stages.
    var sharePercentage: Int? {
        guard let rollout, rollout.percentages.count == 1, rollout.percentages != [100] else { return nil }
        return rollout.percentages.first
    }

    /// The share of devices of a shadow; nil when there is none.
    var shadowPercentage: Int? { shadow.map { Int(($0.value * 100).rounded()) } }

    /// The plan in the query of a deployment.
    var query: [URLQueryItem] {
        guard let rollout else { return [] }
        if let sharePercentage { return [URLQueryItem(name: "percentage", value: "\(sharePercentage)")] }
        let values: [(String, String?)] = [
            ("stages", rollout.percentages.map(String.init).joined(separator: ",")),
            ("holdSeconds", hold.map { "\($0.seconds)" }), ("maximumFaultRate", maxFaultRate.map { "\($0.value)" }),
            ("maximumDropChange", maxDropChange.map { "\($0.value)" }),
            ("maximumTimeChange", maxTimeChange.map { "\($0.value)" }),
            ("minimumDevices", minDevices.map(String.init)), ("minimumEvents", minEvents.map(String.init)),
            ("shadow", shadowPercentage.map(String.init)),
            ("announce", announce.isEmpty ? nil : announce.joined(separator: "\n")),
        ]
        return values.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
    }
}
