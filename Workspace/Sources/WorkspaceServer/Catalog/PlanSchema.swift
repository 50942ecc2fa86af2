import TributaryJSON
import WorkspaceCore

/// Planned events out of a document of JSON Schema.
///
/// A schema describes one event: its `title` is the name, and its `properties` are those of the event, or those of a whole
/// message with the event's below `properties` or `traits`. A document has one schema, a list of them, `$defs` by name, or
/// `events` with a name and `rules` each. The plan has no form for ranges, patterns and the like, so the places of these
/// are listed, and the plan does not check them.
struct PlanSchema: Sendable {
    private(set) var events: [TrackingPlan.Event] = []
    /// The places that the plan has no form for, such as `#/properties/total/minimum`.
    private(set) var ignored: [String] = []

    /// - Throws: `Refusal` with the place of the first part that cannot be understood.
    init(_ document: JSON) throws(Refusal) {
        if let list = document.elements {
            for (index, schema) in list.enumerated() { try add(schema, "#/\(index)", Named()) }
        } else if let object = document.objectValue {
            try addAll(of: object)
        } else {
            throw .invalid("#: a schema is an object, or a list of them")
        }
        guard !events.isEmpty else { throw .invalid("#: the document describes no event") }
    }

    /// The name of an event beside its schema.
    private struct Named {
        var type: String?
        var name: String?
        var description: String?
        var owner: String?
    }

    // MARK: Documents

    private mutating func addAll(of document: JSONObject) throws(Refusal) {
        if let events = document["events"] { return try addList(events, "#/events") }
        if let rules = document["rules"]?.objectValue, let events = rules["events"] {
            try addList(events, "#/rules/events")
            for type in ["identify", "group"] {
                if let schema = rules[type], schema.objectValue?.isEmpty == false {
                    try add(schema, "#/rules/\(type)", Named(type: type))
                }
            }
            return
        }
        let isEvent = document["properties"] != nil || document["title"] != nil
        for member in ["$defs", "definitions"] where !isEvent {
            guard let schemas = document[member]?.objectValue else { continue }
            for (name, schema) in schemas {
                let title = schema["title"]?.stringValue
                try add(schema, "#/\(member)/\(Self.step(name))", Named(name: title == nil ? name : nil))
            }
            return
        }
        try add(.object(document), "#", Named())
    }

    private mutating func addList(_ json: JSON, _ place: String) throws(Refusal) {
        guard let list = json.elements else { throw .invalid("\(place) is a list of events") }
        for (index, entry) in list.enumerated() {
            let place = "\(place)/\(index)"
            guard let object = entry.objectValue else { throw .invalid("\(place) is an object") }
            let member = ["rules", "schema"].first { object[$0] != nil }
            let named = Named(
                type: object["type"]?.stringValue.flatMap { EventType(rawValue: $0)?.rawValue },
                name: object["name"]?.stringValue, description: object["description"]?.stringValue,
                owner: object["owner"]?.stringValue)
            try add(member.flatMap { object[$0] } ?? entry, member.map { "\(place)/\($0)" } ?? place, named)
        }
    }

    // MARK: One event

    private mutating func add(_ schema: JSON, _ place: String, _ named: Named) throws(Refusal) {
        guard let object = schema.objectValue else {
            throw .invalid("\(place) is an object, which describes one event")
        }
        try refuseReference(object, place)
        if let type = object["type"], type.stringValue != "object" {
            throw .invalid("\(place)/type: an event is of the type \"object\"")
        }
        let message = try Message(object, place)
        let type = named.type ?? message.type ?? "track"
        let name = named.name ?? object["title"]?.stringValue ?? message.name
        guard type != "track" || name != nil else {
            throw .invalid("\(place)/title: a track event needs a name; put it into title")
        }
        noteIgnored(object, place, besides: Self.ofEvent)
        if message.place != place { noteIgnored(message.properties, message.place, besides: Self.ofEvent) }
        var event = JSONObject(withoutNulls: [
            "type": .string(type), "name": .string(type == "identify" || type == "group" ? nil : name),
            "description": .string(named.description ?? object["description"]?.stringValue),
            "owner": .string(named.owner ?? object["x-owner"]?.stringValue ?? object["owner"]?.stringValue),
        ])
        event["properties"] = .array(try properties(message))
        let planned = try TrackingPlan.Event(.object(event), place)
        guard !events.contains(where: { $0.name == planned.name }) else {
            throw .invalid("\(place) describes an event for the second time: \(type) \(name ?? "")")
        }
        events.append(planned)
    }

    /// The part of a schema that has the event's own properties, and what the rest says of a whole message.
    private struct Message {
        let properties: JSONObject
        let place: String
        let type: String?
        let name: String?

        /// Members of a message that no event has as its own property beside `properties` or `traits`.
        private static let members: Set<String> = [
            "type", "event", "name", "userId", "anonymousId", "groupId", "previousId", "messageId", "timestamp",
            "context",
            "integrations", "properties", "traits", "sentAt", "originalTimestamp", "receivedAt", "version", "channel",
        ]

        init(_ schema: JSONObject, _ place: String) throws(Refusal) {
            let members = schema["properties"]?.objectValue ?? [:]
            let inner = ["properties", "traits"].first { name in
                members[name]?.objectValue.map { $0["properties"] != nil || $0["type"] == "object" } ?? false
            }
            guard let inner, members.allSatisfy({ Self.members.contains($0.key) }) else {
                (properties, self.place, type, name) = (schema, place, nil, nil)
                return
            }
            properties = members[inner]?.objectValue ?? [:]
            self.place = "\(place)/properties/\(inner)"
            let said = Self.constant(members["type"])
            if let said, EventType(rawValue: said) == nil {
                throw .invalid("\(place)/properties/type: there is no event of the type \(said)")
            }
            type = said ?? (inner == "traits" ? "identify" : nil)
            name = Self.constant(members["event"]) ?? Self.constant(members["name"])
        }

        private static func constant(_ schema: JSON?) -> String? {
            if let text = schema?["const"]?.stringValue { return text }
            guard let values = schema?["enum"]?.elements, values.count == 1 else { return nil }
            return values[0].stringValue
        }
    }

    // MARK: Properties

    private mutating func properties(_ message: Message) throws(Refusal) -> [JSON] {
        let (schema, place) = (message.properties, message.place)
        guard let members = (schema["properties"] ?? [:]).objectValue else {
            throw .invalid("\(place)/properties is an object with a schema for each property")
        }
        guard let required = (schema["required"] ?? []).elements else {
            throw .invalid("\(place)/required is a list of keys")
        }
        var keys: Set<String> = []
        for (index, key) in required.enumerated() {
            guard let key = key.stringValue else { throw .invalid("\(place)/required/\(index) is a text") }
            keys.insert(key)
        }
        var properties: [JSON] = []
        for (key, schema) in members {
            let place = "\(place)/properties/\(Self.step(key))"
            properties.append(try property(key, schema, place, isRequired: keys.remove(key) != nil))
        }
        // A schema may require a key without saying more about it.
        return properties + keys.sorted().map { ["key": .string($0), "required": true] }
    }

    private mutating func property(
        _ key: String, _ json: JSON, _ place: String, isRequired: Bool
    ) throws(Refusal) -> JSON {
        // `true` is the schema of every value.
        if json.boolValue == true {
            return .object(withoutNulls: ["key": .string(key), "required": isRequired ? true : .null])
        }
        guard let schema = json.objectValue else { throw .invalid("\(place) is an object, or true") }
        try refuseReference(schema, place)
        var (kind, isNullable) = try type(schema["type"], "\(place)/type")
        let texts = allowed(schema, place)
        if let texts {
            if texts.hasNull { isNullable = true }
            if kind == nil { kind = .string }
        }
        noteIgnored(schema, place, besides: Self.ofProperty)
        return .object(withoutNulls: [
            "key": .string(key), "type": .string(kind?.rawValue),
            // For the plan, null counts as missing.
            "required": isRequired && !isNullable ? true : .null,
            "description": .string(schema["description"]?.stringValue),
            "values": texts.flatMap { kind == .string ? .strings($0.texts) : nil } ?? .null,
        ])
    }

    /// The type of a property, nil for any, and whether it may be null.
    private func type(_ json: JSON?, _ place: String) throws(Refusal) -> (PropertyKind?, isNullable: Bool) {
        guard let json else { return (nil, false) }
        guard let names = json.elements ?? (json.stringValue == nil ? nil : [json]) else {
            throw .invalid("\(place) is a text, or a list of texts")
        }
        var kinds: Set<PropertyKind> = []
        for name in names {
            guard let text = name.stringValue, let kind = PropertyKind(rawValue: text == "integer" ? "number" : text)
            else {
                throw .invalid(
                    "\(place): there is no type \(name.stringValue ?? "\(name)"); it is one of string, number, integer, "
                        + "boolean, object, array, null")
            }
            kinds.insert(kind)
        }
        let isNullable = kinds.remove(.null) != nil
        guard !kinds.isEmpty else { throw .invalid("\(place): a property that is only ever null cannot be planned") }
        return (kinds.count == 1 ? kinds.first : nil, isNullable)
    }

    /// The texts that `enum` or `const` allow; nil when there are none, or other values too.
    private mutating func allowed(_ schema: JSONObject, _ place: String) -> (texts: [String], hasNull: Bool)? {
        let member = schema["enum"] != nil ? "enum" : "const"
        guard let values = schema["enum"]?.elements ?? schema["const"].map({ [$0] }) else { return nil }
        let texts = values.compactMap(\.stringValue)
        let hasNull = values.contains { $0.isNull }
        guard !texts.isEmpty, texts.count + (hasNull ? 1 : 0) == values.count else {
            ignored.append("\(place)/\(member)")
            return nil
        }
        return (texts, hasNull)
    }

    // MARK: Parts without a form in the plan

    /// Members that say something for people, or that the plan has.
    private static let notes: Set<String> = [
        "$schema", "$id", "id", "$comment", "title", "description", "type", "examples", "default", "deprecated",
        "labels",
        "owner", "x-owner", "version",
    ]
    /// The plan compares all keys, so `additionalProperties: false` says the same.
    private static let ofEvent = notes.union(["properties", "required", "additionalProperties", "$defs", "definitions"])
    private static let ofProperty = notes.union(["enum", "const"])

    private mutating func noteIgnored(_ schema: JSONObject, _ place: String, besides known: Set<String>) {
        for member in schema.map(\.key) where !known.contains(member) {
            ignored.append("\(place)/\(Self.step(member))")
        }
        if let more = schema["additionalProperties"], known.contains("additionalProperties"), more != false {
            ignored.append("\(place)/additionalProperties")
        }
    }

    private func refuseReference(_ schema: JSONObject, _ place: String) throws(Refusal) {
        guard schema["$ref"] == nil else {
            throw .invalid("\(place)/$ref: references are not followed; put the schema in its place")
        }
    }

    /// A name as a step of a JSON Pointer.
    private static func step(_ name: String) -> String {
        name.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    // MARK: The answer

    /// The changes of the import, or of its dry run.
    func json(before: TrackingPlan, after: TrackingPlan, isStored: Bool) -> JSON {
        let planned = Dictionary(before.events.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let added = events.filter { planned[$0.name] == nil }
        let changed = events.filter { event in planned[event.name].map { $0 != event } ?? false }
        return [
            "stored": .bool(isStored), "plan": after.json, "added": .array(added.map(\.json)),
            "changed": .array(
                changed.map { ["before": planned[$0.name]?.json ?? .null, "after": $0.json] }),
            "unchanged": .number(events.count - added.count - changed.count),
            "ignored": .strings(ignored.prefix(Limits.planSchemaIgnored)),
            "ignoredMore": .number(max(0, ignored.count - Limits.planSchemaIgnored)),
        ]
    }
}

extension Limits {
    /// Places of a schema that an answer lists.
    fileprivate static let planSchemaIgnored = 100
}
