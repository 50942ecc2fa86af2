import ArgumentParser
import TributaryJSON
import WorkspaceCore

/// How other code or other settings of a destination function go to its users.
struct FunctionStageOptions: ParsableArguments {
    @Option(help: "Roll out in stages, such as 10%,50%,100% of the users.")
    var rollout: Stages?

    @Option(help: "How long each stage lasts at least: 90s, 30m, 12h, 2d; by default 30m.")
    var hold: Span?

    @Option(help: "How many events of a stage must have been tried before anything is decided; by default 100.")
    var minEvents: Int?

    @Option(help: "How much larger the share of refused events may be than before; by default 0.5%.")
    var maxRefusals: Share?

    func validate() throws {
        guard rollout == nil else { return }
        if hold != nil || minEvents != nil || maxRefusals != nil {
            throw ValidationError("--hold, --min-events and --max-refusals need --rollout")
        }
    }

    /// The plan in a request; nil for all users at once.
    var plan: JSON? {
        guard let rollout else { return nil }
        return .object(withoutNulls: [
            "stages": .numbers(rollout.percentages), "holdSeconds": .number(hold?.seconds),
            "minimumEvents": .number(minEvents),
            "maximumRefusals": maxRefusals.flatMap { JSONNumber($0.value) }.map(JSON.number) ?? .null,
        ])
    }
}
