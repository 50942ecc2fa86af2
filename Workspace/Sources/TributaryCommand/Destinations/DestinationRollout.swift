import ArgumentParser
import TributaryJSON

/// Shows and overrides the roll-out of a destination function.
struct DestinationRollout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollout",
        abstract: "Shows how far the roll-out of a destination function is, and overrides it.",
        discussion: """
            `tributary destination set NAME --code FILE --rollout 10%,50%,100%` begins one. To take the new version back by \
            hand, use `tributary destination rollback NAME`.
            """)

    /// What an operator decides by hand.
    enum Step: String, ExpressibleByArgument, CaseIterable { case show, pause, resume, advance }

    @OptionGroup var options: DestinationOptions

    @Argument(help: "pause stops it for now, resume lets it go on, advance begins the next stage now.")
    var step = Step.show

    @Flag(help: "Write the answer as JSON.")
    var json = false

    func run() async throws {
        let client = try options.client()
        let answer =
            step == .show
            ? try await client.get("rollout") : try await client.send("POST", "rollout/\(step.rawValue)", [:])
        if json { return print(answer.description) }
        guard let rollout = answer["rollout"], !rollout.isNull else {
            return print("there was no roll-out of the destination \(options.name.printable)")
        }
        print(FunctionRolloutText(rollout).text)
    }
}

/// A roll-out of a destination function on three lines of a terminal.
struct FunctionRolloutText {
    let text: String

    /// - Parameter rollout: as the server shows it.
    init(_ rollout: JSON) {
        func number(_ name: String) -> Int { rollout[name]?.intValue ?? 0 }
        func count(_ name: String, _ member: String) -> String {
            (rollout[name]?[member]?.intValue ?? 0).grouped
        }
        let stages = rollout["plan"]?["stages"]?.elements?.count ?? 0
        text = """
            version \(number("version")): \(rollout["state"]?.stringValue?.printable ?? "?"), stage \(number("stage")) of \
            \(stages), \(number("percentage")) % of users, for \(number("heldSeconds") / 60) min
              \(rollout["reason"]?.stringValue?.printable ?? "")
              tried in this stage: \(count("tried", "accepted")) accepted, \(count("tried", "refused")) refused; by version \
            \(number("previous")): \(count("triedBefore", "accepted")) accepted, \(count("triedBefore", "refused")) refused
            """
    }
}
