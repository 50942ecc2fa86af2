import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// The mapping of a CSV file: an event with places for the values of columns.
struct CSVMapping {
    private let template: JSONObject

    init(_ json: JSON) throws(Failure) {
        guard var object = json.objectValue else { throw Failure("a mapping is a JSON object") }
        if let timestamp = object["timestamp"]?.stringValue { object["timestamp"] = .string(try Self.time(timestamp)) }
        template = object
    }

    /// The mapping of the event's time. The value is always read as a time here, because a server that cannot read the
    /// text uses the time of arrival instead.
    private static func time(_ text: String) throws(Failure) -> String {
        guard let place = Place(text) else {
            guard EventTime.milliseconds(text) != nil else {
                throw Failure("the timestamp of the mapping is \(text), which is neither a column nor a time")
            }
            return text
        }
        return place.isTime ? text : "$\(place.column):time"
    }

    /// - Throws: when the mapping names a column that the file does not have.
    func check(columns: [String]) throws(Failure) {
        for name in Self.columns(of: .object(template)) where !columns.contains(name) {
            throw Failure("the mapping names the column \(name); the file has \(columns.joined(separator: ", "))")
        }
    }

    private static func columns(of json: JSON) -> [String] {
        if let object = json.objectValue { return object.flatMap { columns(of: $0.value) } }
        if let elements = json.elements { return elements.flatMap(columns) }
        guard let place = json.stringValue.flatMap(Place.init) else { return [] }
        return [place.column]
    }

    /// The event of one line.
    /// - Throws: a description of the first wrong value.
    func event(_ row: CSVRow) throws(Failure) -> JSONObject {
        try Self.filled(.object(template), row)?.objectValue ?? JSONObject()
    }

    private static func filled(_ json: JSON, _ row: CSVRow) throws(Failure) -> JSON? {
        if let object = json.objectValue {
            var filled = JSONObject()
            for (name, value) in object { if let value = try self.filled(value, row) { filled[name] = value } }
            return .object(filled)
        }
        if let elements = json.elements {
            var filled: [JSON] = []
            for element in elements { if let element = try self.filled(element, row) { filled.append(element) } }
            return .array(filled)
        }
        guard let text = json.stringValue, text.hasPrefix("$") else { return json }
        guard let place = Place(text) else { return .string(String(text.dropFirst())) }
        guard let value = row[place.column], !value.isEmpty else { return nil }
        return try place.json(value, row)
    }

    /// A column's name and the type of its values.
    private struct Place {
        let column: String
        private let kind: Substring?

        var isTime: Bool { kind == "time" }

        /// Nil for a text that names no column.
        init?(_ text: String) {
            guard text.hasPrefix("$"), !text.hasPrefix("$$") else { return nil }
            let parts = text.dropFirst().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let kinds: Set<Substring> = ["number", "bool", "json", "time"]
            kind = parts.count == 2 && kinds.contains(parts[1]) ? parts[1] : nil
            column = kind == nil ? String(text.dropFirst()) : String(parts[0])
        }

        func json(_ value: String, _ row: CSVRow) throws(Failure) -> JSON {
            guard let kind else { return .string(value) }
            let trimmed = value.filter { $0 != " " }
            switch kind {
            case "bool":
                switch trimmed.lowercased() {
                case "true", "yes", "1": return true
                case "false", "no", "0": return false
                default: throw Failure("\(column) is \(value), which is neither true nor false")
                }
            case "number":
                guard let json = try? JSON.parse(trimmed), json.numberValue != nil else {
                    throw Failure("\(column) is \(value), which is not a number")
                }
                return json
            case "time":
                guard let time = EventTime.milliseconds(value) else {
                    throw Failure(
                        "\(column) is \(value), which is no time of a known form, such as 2026-11-20 10:00 or seconds "
                            + "since 1970")
                }
                return .time(time)
            default:
                do throws(JSONError) {
                    return try NestedLine.json(Array(value.utf8), depth: JSONLimits.eventDepth - 1)
                } catch {
                    throw Failure("\(column) is \(value), which is not JSON: \(row.placed(error, in: column))")
                }
            }
        }
    }
}
