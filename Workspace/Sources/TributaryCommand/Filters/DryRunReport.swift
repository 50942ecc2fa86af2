import TributaryJSON

/// Prints the result of a workspace's dry run.
struct DryRunReport {
    private let answer: JSON
    private let style: OutputStyle

    init(_ answer: JSON, style: OutputStyle) { (self.answer, self.style) = (answer, style) }

    func print() { for line in lines { Swift.print(line) } }

    var lines: [String] {
        let events = count(answer, "events")
        var lines = problems + findings
        for rule in answer["rules"]?.elements ?? [] { lines.append(text(of: rule, events)) }
        for example in answer["examples"]?.elements ?? [] { lines += text(of: example) }
        for destination in answer["destinations"]?.elements ?? [] {
            let name = destination["destination"]?.stringValue ?? "?"
            lines.append(
                "\(style.bold(name)): would drop \(count(destination, "dropped").grouped) and change "
                    + "\(count(destination, "changed").grouped) of the last \(events.grouped) events")
        }
        if answer["complete"]?.boolValue == false {
            lines.append("the time for a dry run was over before all of these events were tried")
        }
        if events == 0 { lines.append("no event is stored for this source yet") }
        return lines
    }

    private var problems: [String] {
        (answer["problems"]?.elements ?? []).compactMap { $0["text"]?.stringValue }
            .map { style.bad("problem") + "  " + $0 }
    }

    private var findings: [String] {
        (answer["findings"]?.elements ?? []).map { finding in
            style.text(finding["severity"]?.stringValue ?? "", finding["text"]?.stringValue?.printable ?? "")
        }
    }

    private func text(of rule: JSON, _ events: Int) -> String {
        let label = RuleLabel.text(
            rule: count(rule, "rule"), name: rule["name"]?.stringValue, destination: rule["destination"]?.stringValue)
        let failed = count(rule, "failed")
        return "\(label): \(count(rule, "dropped").grouped) dropped, \(count(rule, "changed").grouped) changed, "
            + "\(count(rule, "untouched").grouped) untouched" + (failed > 0 ? ", \(failed.grouped) failed" : "")
    }

    private func text(of example: JSON) -> [String] {
        let before = example["before"] ?? .null
        let destination = example["destination"]?.stringValue ?? "?"
        let title = EventTitle.text(before)
        guard let after = example["after"], !after.isNull else { return ["\(title) would not go to \(destination)"] }
        return ["\(title) would go to \(destination) changed"] + style.difference(before, after)
    }

    private func count(_ json: JSON, _ name: String) -> Int { json[name]?.intValue ?? 0 }
}
