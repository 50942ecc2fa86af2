import TributaryJSON

/// The differences between the plan and the events that came, as text.
struct PlanReport {
    let hasPlan: Bool
    let lines: [String]

    var hasDeviations: Bool { !lines.isEmpty }

    /// - Parameter catalog: as the server answers it.
    init(_ catalog: JSON) throws(Failure) {
        let names = try catalog.list("names")
        let absent = try catalog.list("absent")
        hasPlan = !absent.isEmpty || names.contains { $0["plan"]?.objectValue != nil }
        var lines: [String] = []
        for name in names where name["plan"]?.objectValue != nil { lines += try Self.lines(name) }
        for name in absent where name["blocked"]?.boolValue != true {
            lines.append("\(try Self.label(name)): planned, and none came")
        }
        self.lines = lines
    }

    private static func lines(_ entry: JSON) throws(Failure) -> [String] {
        let (label, plan) = (try label(entry), entry["plan"] ?? [:])
        guard plan["planned"]?.boolValue == true else {
            return ["\(label): not planned, and \(try entry.number("count").grouped) came"]
        }
        if plan["blocked"]?.boolValue == true {
            return ["\(label): blocked, and \(try entry.number("count").grouped) came"]
        }
        var lines: [String] = []
        for deviation in try plan.list("deviations") { lines.append("\(label): \(try text(deviation))") }
        return lines
    }

    private static func text(_ deviation: JSON) throws(Failure) -> String {
        let (key, count) = (try deviation.text("key").printable, try deviation.number("count").grouped)
        switch try deviation.text("problem") {
        case "unplanned": return "\(key) is not planned, and \(count) events have it"
        case "missing": return "\(key) is required, and \(count) events lack it"
        case "value": return "\(key) has a value that is not allowed, in \(count) events"
        default: return "\(key) should be \(try deviation.text("planned").printable), and \(count) values are not"
        }
    }

    private static func label(_ entry: JSON) throws(Failure) -> String {
        let type = try entry.text("type").printable
        return entry["name"]?.stringValue.map { "\($0.printable) (\(type))" } ?? type
    }
}
