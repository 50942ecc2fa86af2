import TributaryJSON

/// A trace on several lines, for people: the event, and below it each stage that did something to it.
struct TraceLines {
    let style: OutputStyle

    /// - Parameter trace: as the server sends it.
    func text(_ trace: JSON) -> String {
        let user = trace["userId"]?.stringValue ?? trace["anonymousId"]?.stringValue ?? ""
        let head = [
            style.faint(shown(trace["trackedAt"])), outcome(shown(trace["outcome"])), shown(trace["type"]),
            style.bold(shown(trace["event"])), user.printable,
        ]
        let stages = (trace["stages"]?.elements ?? []).filter { $0["outcome"] != "unchanged" && $0["builtIn"] != true }
        return ([joined(head)] + stages.map(line)).joined(separator: "\n")
    }

    private func line(_ stage: JSON) -> String {
        let paths = (stage["changes"]?.elements ?? []).map { shown($0["path"]) }.joined(separator: ", ")
        return "    "
            + joined([
                shown(stage["stage"]), shown(stage["plugin"]), shown(stage["destination"]),
                outcome(shown(stage["outcome"])), paths, shown(stage["note"]),
            ])
    }

    private func outcome(_ text: String) -> String {
        switch text {
        case "dropped", "failed": style.bad(text)
        case "sent", "delivered": style.good(text)
        default: text
        }
    }

    private func shown(_ json: JSON?) -> String { (json?.stringValue ?? "").printable }

    private func joined(_ parts: [String]) -> String { parts.filter { !$0.isEmpty }.joined(separator: "  ") }
}
