import TributaryJSON

/// A destination and its state as text.
struct DestinationReport {
    let name: String
    private let destination: JSON
    private let style: OutputStyle

    /// - Parameter answer: a destination as the server shows it.
    init(_ answer: JSON, style: OutputStyle = .output) throws(Failure) {
        let name = try answer.text("name")
        _ = try answer.text("state")
        self.name = name.printable
        self.destination = answer
        self.style = style
    }

    /// The most important facts, on one line.
    var line: String {
        [style.bold(name), text("kind"), address, needs, state, figures]
            .filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// All facts.
    var lines: [String] {
        let last = destination["lastDeliveredAt"]?.stringValue.map { ["  last delivered \($0.printable)"] } ?? []
        let settings = (destination["settings"]?.objectValue ?? [:]).filter { $0.key != "declaration" }.map {
            name, value in
            "  \(name.printable): \(name == "code" ? code : (value.stringValue ?? value.description).printable)"
        }
        return [
            "\(style.bold(name))  \(text("kind")), made \(text("createdAt")), changed \(text("updatedAt"))",
            "  \(state)", "  \(figures)",
        ] + rollout + (needs.isEmpty ? [] : ["  \(needs)"]) + last + settings + secrets
    }

    /// Code is long, so the report has the name of its class and its size.
    private var code: String {
        let declaration = destination["settings"]?["declaration"]
        let name = declaration?["class"]?.stringValue?.printable ?? "a class"
        let bytes = destination["settings"]?["code"]?.stringValue?.utf8.count ?? 0
        return "\(name), \(bytes.grouped) bytes"
    }

    /// A roll-out that is open.
    private var rollout: [String] {
        guard let rollout = destination["rollout"], ["running", "paused"].contains(rollout["state"]?.stringValue) else {
            return []
        }
        return ["  roll-out of " + FunctionRolloutText(rollout).text]
    }

    /// The names of the secrets of a function that are stored.
    private var secrets: [String] {
        guard let names = destination["secrets"]?.elements else { return [] }
        let list = names.compactMap { $0.stringValue?.printable }.joined(separator: ", ")
        return ["  secrets: \(list.isEmpty ? "none is stored" : list)"]
    }

    /// Where the events go, as far as a line has room for it.
    private var address: String {
        let settings = destination["settings"]
        let place = (settings?["bucket"] ?? settings?["database"])?.stringValue.map { " \($0)" } ?? ""
        let function = settings?["declaration"]?["class"]
        let server = settings?["url"] ?? settings?["endpoint"] ?? settings?["host"] ?? function
        return (server?.stringValue ?? "").printable + place.printable
    }

    private var state: String {
        let state = text("state")
        // A destination that is off is never up to date.
        let isBehind = state == "delivering" && destination["caughtUp"]?.boolValue == false
        let retry = text("retryAt").isEmpty ? "" : ", tries again at \(text("retryAt"))"
        let reason = text("reason").isEmpty ? "" : ": \(text("reason"))"
        let shown = state + (isBehind ? ", more waits" : "") + retry + reason
        switch state {
        case "delivering": return style.good(shown)
        case "off": return style.faint(shown)
        default: return style.bad(shown)
        }
    }

    private var figures: String {
        let deadLetters = "\(count("deadLetters").grouped) dead letters"
        return "\(count("delivered").grouped) delivered, \(count("skipped").grouped) left out, "
            + heldBack
            + "\(count("waiting").grouped) waiting\(since), \(count("retrying").grouped) of them to be tried again, "
            + (count("deadLetters") > 0 ? style.bad(deadLetters) : deadLetters)
    }

    /// Only for a destination that consent concerns, or once concerned.
    private var heldBack: String {
        guard !needs.isEmpty || count("withheld") + count("held") > 0 else { return "" }
        let held = count("held") > 0 ? "\(count("held").grouped) held, " : ""
        return "\(count("withheld").grouped) held back by consent, \(held)"
    }

    /// The consent categories that it needs.
    private var needs: String {
        let names = destination["categories"]?.elements?.compactMap { $0.stringValue?.printable } ?? []
        return names.isEmpty ? "" : "needs \(names.joined(separator: ", "))"
    }

    private var since: String { text("waitingSince").isEmpty ? "" : " since \(text("waitingSince"))" }

    private func text(_ name: String) -> String { destination[name]?.stringValue?.printable ?? "" }
    private func count(_ name: String) -> Int { destination[name]?.intValue ?? 0 }
}
