import ArgumentParser
import TributaryJSON

/// Commands for alert rules.
struct AlertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alert",
        abstract: "Sets rules that tell operators when something is wrong, and when it is over.",
        subcommands: [AlertList.self, AlertSet.self, AlertTest.self, AlertRemove.self])

    /// A rule and its state on one line.
    static func line(_ rule: JSON) -> String {
        func text(_ member: String) -> String { rule[member]?.stringValue?.printable ?? "" }
        let style = OutputStyle.output
        let since = text("since").isEmpty ? "" : " since \(text("since"))"
        let isFiring = text("state") == "firing"
        let state = (isFiring ? style.bad("firing") : style.good(text("state"))) + since
        let found = text("text").isEmpty ? "not looked at yet" : text("text")
        let to = text("to") + (text("url").isEmpty ? "" : " \(text("url"))")
        let waiting = rule["waiting"]?.intValue ?? 0
        let problem = waiting == 0 ? "" : "  \(style.bad("\(waiting) not sent yet: \(text("problem"))"))"
        return "\(style.bold(text("name")))  \(state): \(found)  → \(to)\(problem)"
    }
}
