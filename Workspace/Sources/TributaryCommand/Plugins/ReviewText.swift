import TributaryJSON

/// The review of two versions over sessions, as lines for a terminal.
struct ReviewText {
    let lines: [String]
    /// Whether a rule is broken.
    let isBroken: Bool

    /// - Parameter answer: that of `live-plugins/review`, or the review of `plugin test --against`.
    init(_ answer: JSON, style: OutputStyle) {
        let names = answer["names"]?.elements ?? []
        let broken = answer["broken"]?.elements ?? []
        isBroken = !broken.isEmpty
        let total = { (key: String) in names.reduce(0) { $0 + Self.count($1, key) } }
        var lines: [String] = []
        let (sessions, records) = (Self.count(answer, "sessions"), Self.count(answer, "records"))
        if let fault = answer["fault"]?.stringValue {
            lines.append(style.bad("the live plugins cannot be run: \(fault.printable)"))
        }
        lines.append(
            "\(sessions.grouped) sessions with \(records.grouped) events and signals: "
                + "\(total("changed").grouped) changed, \(total("dropped").grouped) dropped, \(total("made").grouped) made, "
                + "\(total("same").grouped) as before")
        if answer["complete"] == false { lines.append("the time was over before all sessions had been played") }
        for name in names { lines += Self.lines(name, style) }
        lines += broken.map { style.bad("rule broken: \(($0["text"]?.stringValue ?? "").printable)") }
        self.lines = lines
    }

    private static func lines(_ name: JSON, _ style: OutputStyle) -> [String] {
        let counts = ["changed", "dropped", "made"].map { (count(name, $0), $0) }
        guard counts.contains(where: { $0.0 > 0 }) else { return [] }
        let type = name["type"]?.stringValue ?? ""
        let title = [type, name["name"]?.stringValue].compactMap(\.self).joined(separator: " ").printable
        let words = counts.filter { $0.0 > 0 }.map { number, word in
            let text = "\(number.grouped) \(word)"
            return word == "dropped" ? style.bad(text) : word == "made" ? style.good(text) : text
        }
        var lines = ["\(style.type(type, title)): \(words.joined(separator: ", "))"]
        for field in name["fields"]?.elements ?? [] {
            let (before, after) = (field["before"]?.stringValue, field["after"]?.stringValue)
            lines.append(
                "  \((field["path"]?.stringValue ?? "").printable): \(count(field, "events").grouped) events, such as "
                    + "\(before?.printable ?? "nothing") → \(after?.printable ?? "nothing")")
        }
        let more = count(name, "moreFields")
        if more > 0 { lines.append("  and \(more.grouped) differences in other fields") }
        return lines
    }

    private static func count(_ json: JSON, _ name: String) -> Int { json[name]?.intValue ?? 0 }
}
