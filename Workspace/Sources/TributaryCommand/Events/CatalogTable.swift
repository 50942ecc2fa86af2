import TributaryJSON

/// The catalog of a source as a table for a terminal.
struct CatalogTable {
    let text: String

    /// - Parameters:
    ///   - answer: that of the workspace.
    ///   - withProperties: whether the properties of each name are shown.
    init(_ answer: JSON, withProperties: Bool) throws(Failure) {
        let names = try answer.list("names")
        var lines: [String] = []
        if names.isEmpty {
            lines.append("no event came on these days")
        } else if withProperties {
            for name in names {
                if !lines.isEmpty { lines.append("") }
                lines += try Self.properties(of: name)
            }
        } else {
            var rows: [[String]] = []
            for name in names { rows.append(try Self.row(name)) }
            lines += TextTable.lines(
                ["name", "type", "first hour", "last hour", "events", "properties"], rows, texts: 4)
        }
        let (unlisted, others) = (try answer.number("unlistedNames"), try answer.number("otherEvents"))
        if unlisted > 0 { lines.append("\(unlisted.grouped) names that came less often are not listed (--limit)") }
        if others > 0 {
            lines.append("\(others.grouped) events came on days with too many names, and are counted without theirs")
        }
        text = lines.joined(separator: "\n")
    }

    private static func row(_ entry: JSON) throws(Failure) -> [String] {
        [
            label(entry), try entry.text("type"), hour(try entry.text("firstHour")), hour(try entry.text("lastHour")),
            try entry.number("count").grouped, try entry.list("properties").count.grouped,
        ]
    }

    private static func properties(of entry: JSON) throws(Failure) -> [String] {
        let (events, type) = (try entry.number("count").grouped, try entry.text("type").printable)
        var rows: [[String]] = []
        for property in try entry.list("properties") {
            rows.append([
                try property.text("key").printable, try types(property), try property.number("count").grouped,
            ])
        }
        let others = try entry.number("otherProperties")
        if others > 0 { rows.append(["(others)", "", others.grouped]) }
        let head = "\(label(entry)) (\(type)): \(events) events"
        guard !rows.isEmpty else { return [head] }
        return [head] + TextTable.lines(["property", "types", "events"], rows, texts: 2).map { "  " + $0 }
    }

    /// The types of a property's values, the most frequent one first.
    private static func types(_ property: JSON) throws(Failure) -> String {
        let types = try property.object("types").map { (name: $0.key, count: $0.value.intValue ?? 0) }
        guard types.count > 1 else { return types.first?.name.printable ?? "" }
        return types.sorted { $0.count > $1.count }.map { "\($0.name.printable) \($0.count.grouped)" }
            .joined(separator: ", ")
    }

    private static func label(_ entry: JSON) -> String { entry["name"]?.stringValue?.printable ?? "(no name)" }

    /// `2026-11-21 08:00`.
    private static func hour(_ text: String) -> String {
        String(text.prefix("2026-11-21T08:00".count)).replacing("T", with: " ").printable
    }
}
