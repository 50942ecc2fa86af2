import Foundation
import TributaryJSON
import WorkspaceCore

/// A saved question of the board as the HTTP API answers it, for readers of a link. They choose nothing of it.
///
/// It asks what the page asks for the same address: `views/question.js` and the modules of its charts.
struct BoardQuestion: Sendable, Hashable {
    enum Kind: String, Sendable {
        case type, name, source, property, funnel, retention
    }

    /// A name of a query with its value.
    struct Pair: Sendable, Hashable {
        let name: String
        let value: String
    }

    let kind: Kind
    /// The write key of its source; nil is the first source of the workspace.
    let source: String?
    /// How many days there are, of which today is the last.
    let period: Int64
    /// In which days begin; nil is that of the source.
    let zone: String?
    /// The rest of the query.
    let pairs: [Pair]
    /// The part of its address that says how to draw the answer. It has no condition, no key and no path of a property.
    let drawing: JSON

    /// - Throws: `Refusal` for a question that a reader of a link gets no answer to, with a reason for such a reader.
    init(_ view: SavedView) throws(Refusal) {
        let address = QueryReader(query: view.query.text)
        guard let kind = Kind(rawValue: address.text("by") ?? Kind.type.rawValue) else { throw Self.unknown }
        let days = address.text("days").flatMap { Int64($0) } ?? 30
        (self.kind, source, period) = (kind, address.text("source"), [7, 30, 90].contains(days) ? days : 30)
        zone = address.text("zone").flatMap { (try? TimeZone(named: $0)) == nil ? nil : $0 }
        try Self.checkPeople(address, kind)
        switch kind {
        case .type, .name, .source:
            guard Self.conditions(address).isEmpty else { throw Self.unknown }
            pairs = [Pair(name: "properties", value: "false")]
        case .property: pairs = try Self.breakdown(address)
        case .funnel: pairs = try Self.funnel(address)
        case .retention: pairs = try Self.retention(address)
        }
        drawing = Self.drawing(address, kind, period, zone)
    }

    /// The query for the API.
    /// - Parameters:
    ///   - zone: that of the source, for a question that names none.
    ///   - limit: how many names or values are listed.
    func reader(writeKey: String, zone: TimeZone?, limit: Int, now: Int64) throws(Refusal) -> QueryReader {
        let own: TimeZone? = if let name = self.zone { try TimeZone(named: name) } else { zone }
        let today = own?.day(at: now) ?? Day(milliseconds: now)
        let days = isKept ? 2 * period : period
        var all = [("writeKey", writeKey), ("since", "\(today.advanced(by: 1 - days))"), ("limit", "\(limit)")]
        if kind == .retention { all.removeLast() }
        all.append(("zone", own.shownName))
        return QueryReader(pairs: all.map { (name: $0, value: $1) } + pairs.map { (name: $0.name, value: $0.value) })
    }

    /// Whether the server has counted its answer while events arrived.
    var isKept: Bool { [.type, .name, .source].contains(kind) }

    // MARK: Reading the address

    private static let unknown = Refusal(.unusable, "this question has a mistake; in the console it says which")

    private static func conditions(_ address: QueryReader) -> [String] {
        var seen: Set<String> = []
        return address.texts("where").filter { !$0.allSatisfy(\.isWhitespace) && seen.insert($0).inserted }
    }

    private static func breakdown(_ address: QueryReader) throws(Refusal) -> [Pair] {
        var pairs = [Pair(name: "compare", value: "true")]
        func add(_ name: String, from member: String? = nil) {
            if let value = address.text(member ?? name) { pairs.append(Pair(name: name, value: value)) }
        }
        let isMeasured = address.text("statistic") != nil && address.text("numbers") != nil
        guard address.text("property") != nil || isMeasured else { throw unknown }
        for name in ["property", "and", "interval", "type", "name"] { add(name) }
        if address.text("time") == Breakdown.Question.Time.happened.rawValue { add("time") }
        if isMeasured {
            add("statistic")
            add("of", from: "numbers")
        }
        return pairs + conditions(address).map { Pair(name: "where", value: $0) }
    }

    private static func funnel(_ address: QueryReader) throws(Refusal) -> [Pair] {
        let steps = try events(address, "steps")
        return ["window", "property"].compactMap { name in address.text(name).map { Pair(name: name, value: $0) } }
            + steps.map { Pair(name: "step", value: $0.description) }
    }

    private static func retention(_ address: QueryReader) throws(Refusal) -> [Pair] {
        let first = try events(address, "first").prefix(1).map { Pair(name: "first", value: $0.description) }
        let returning =
            address.text("returning") == nil
            ? [] : try events(address, "returning").prefix(1).map { Pair(name: "returning", value: $0.description) }
        return [Pair(name: "by", value: address.text("per") == "week" ? "week" : "day")] + first + returning
    }

    /// The events of a member of the address, each with the conditions of the whole question.
    private static func events(_ address: QueryReader, _ name: String) throws(Refusal) -> [JSON] {
        guard let text = address.text(name), let json = try? JSON.parse([UInt8](text.utf8)) else { throw unknown }
        let events = json.elements ?? [json]
        guard !events.isEmpty, events.allSatisfy({ $0.objectValue != nil }) else { throw unknown }
        let conditions = conditions(address).map(JSON.string)
        return events.map { event in
            var event = event
            event["where"] = .array((event["where"]?.elements ?? []) + conditions)
            return event
        }
    }

    /// How the page draws the answer, as the names and values of an address.
    private static func drawing(_ address: QueryReader, _ kind: Kind, _ period: Int64, _ zone: String?) -> JSON {
        var drawing: JSONObject = ["by": .string(kind.rawValue), "days": .string("\(period)")]
        for name in ["statistic", "numbers", "interval", "time", "per"] {
            if let value = address.text(name) { drawing[name] = .string(value) }
        }
        if let zone { drawing["zone"] = .string(zone) }
        for name in ["property", "and"] where address.text(name) != nil { drawing[name] = "yes" }
        if kind == .funnel, let steps = try? events(address, "steps") {
            let names = steps.map { step -> JSON in
                var shown = JSONObject()
                for key in ["type", "name"] { shown[key] = step[key] }
                return .object(shown)
            }
            drawing["steps"] = .string(JSON.array(names).description)
        }
        return .object(drawing)
    }
}

/// Questions with ids of persons as values.
extension BoardQuestion {
    /// Members that name a person or how to reach one. A key counts at the end of a path, in any spelling of case.
    private static let personal: Set<String> = [
        "userid", "user_id", "previousid", "anonymousid", "messageid", "email", "phone", "ip", "firstname", "lastname",
        "username", "deviceid", "advertisingid",
    ]

    /// - Throws: `Refusal` when the answer would list persons.
    private static func checkPeople(_ address: QueryReader, _ kind: Kind) throws(Refusal) {
        let names: [String] =
            switch kind {
            case .property: ["property", "and", "numbers"]
            case .funnel: ["property"]
            case .type, .name, .source, .retention: []
            }
        for name in names {
            guard let text = address.text(name), let keys = try? JSONPath(text).keys else { continue }
            guard !isPersonal(keys) else {
                throw Refusal(.forbidden, "this question lists persons, so a link does not show it")
            }
        }
    }

    private static func isPersonal(_ keys: [String]) -> Bool {
        let keys = keys.map { $0.lowercased() }
        guard let last = keys.last else { return false }
        let isOfPerson = keys.dropLast().last.map { ["traits", "device"].contains($0) } ?? false
        return personal.contains(last) || isOfPerson && ["id", "name"].contains(last)
    }
}
