package import TributaryJSON

/// Which events a source should send, and with which properties.
///
/// The catalog compares it with the stored events. Clients get the part that blocks events for destinations on the
/// device; the server stores every event.
package struct TrackingPlan: Sendable, Equatable {
    package struct Event: Sendable, Equatable {
        package let name: CountedName
        package var description = ""
        /// The person or team to ask about it.
        package var owner = ""
        /// Whether destinations on the device do not get it. Only for track events, because clients know no other rule.
        package var isBlocked = false
        /// Of an identify and a group the traits.
        package var properties: [Property] = []

        package init(name: CountedName, description: String = "", isBlocked: Bool = false, properties: [Property] = [])
        {
            (self.name, self.description) = (name, description)
            (self.isBlocked, self.properties) = (isBlocked, properties)
        }
    }

    package struct Property: Sendable, Equatable {
        package let key: String
        /// Nil allows every type.
        package var kind: PropertyKind?
        package var isRequired = false
        package var description = ""
        /// The texts that are allowed; every value is when there are none. Only for texts.
        package var values: [String] = []
    }

    /// One for each type and name.
    package private(set) var events: [Event] = []
    /// Whether destinations on the device do not get track events that are not planned.
    package private(set) var blocksUnplanned = false

    package static let none = TrackingPlan()

    package var isEmpty: Bool { events.isEmpty && !blocksUnplanned }

    private init() {}

    /// - Throws: `Refusal` that names the first part that is wrong.
    package init(_ json: JSON) throws(Refusal) {
        let object = try Self.object(json, "the tracking plan", ["events", "unplanned"])
        guard let events = (object["events"] ?? []).elements else { throw .invalid("events is a list") }
        guard events.count <= Limits.plannedEvents else {
            throw .invalid("a tracking plan has at most \(Limits.plannedEvents) events")
        }
        for (index, event) in events.enumerated() {
            let event = try Event(event, "events[\(index)]")
            guard !self.events.contains(where: { $0.name == event.name }) else {
                throw .invalid(
                    "events[\(index)] is planned twice: \(event.name.type.rawValue) \(event.name.text ?? "")")
            }
            self.events.append(event)
        }
        switch object["unplanned"]?.stringValue {
        case nil where object["unplanned"] == nil, "allow": break
        case "block": blocksUnplanned = true
        default: throw .invalid("unplanned is \"allow\" or \"block\"")
        }
    }

    /// The plan with this event. It replaces an event of the same type and name, or is added at the end.
    package func putting(_ event: Event) throws(Refusal) -> TrackingPlan {
        var plan = self
        if let index = events.firstIndex(where: { $0.name == event.name }) {
            plan.events[index] = event
        } else {
            guard events.count < Limits.plannedEvents else {
                throw Refusal(.conflict, "a tracking plan has at most \(Limits.plannedEvents) events")
            }
            plan.events.append(event)
        }
        return plan
    }

    /// The plan with some of its events only.
    package func keeping(_ isKept: (Event) -> Bool) -> TrackingPlan {
        var plan = self
        plan.events = events.filter(isKept)
        return plan
    }

    package var json: JSON {
        ["events": .array(events.map(\.json)), "unplanned": .string(blocksUnplanned ? "block" : "allow")]
    }

    fileprivate static func object(
        _ json: JSON, _ place: String, _ members: [String]
    ) throws(Refusal) -> JSONObject {
        guard let object = json.objectValue else { throw .invalid("\(place) is an object") }
        if let stranger = object.first(where: { !members.contains($0.key) }) {
            throw .invalid("\(place) has no member \(stranger.key); it has \(members.joined(separator: ", "))")
        }
        return object
    }

    fileprivate static func text(_ json: JSON?, _ place: String, atMost limit: Int) throws(Refusal) -> String {
        guard let json else { return "" }
        guard let text = json.stringValue, text.count <= limit else {
            throw .invalid("\(place) is a text of at most \(limit) characters")
        }
        return text
    }
}

extension TrackingPlan.Event {
    /// - Parameter place: where it stands, for errors.
    package init(_ json: JSON, _ place: String) throws(Refusal) {
        let members = ["type", "name", "description", "owner", "blocked", "properties"]
        let object = try TrackingPlan.object(json, place, members)
        guard let type = object["type"]?.stringValue.flatMap(EventType.init(rawValue:)) else {
            let types = EventType.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("\(place).type is one of \(types)")
        }
        let text = try TrackingPlan.text(object["name"], "\(place).name", atMost: Limits.identifierLength)
        guard type != .track || !text.isBlank else { throw .invalid("\(place) is a track event without a name") }
        name = CountedName(type, name: text.isBlank ? nil : text)
        description = try TrackingPlan.text(
            object["description"], "\(place).description", atMost: Limits.planDescriptionLength)
        owner = try TrackingPlan.text(object["owner"], "\(place).owner", atMost: Limits.planOwnerLength)
        isBlocked = try object.member("blocked", "\(place).blocked is true or false", \.boolValue) ?? false
        guard !isBlocked || type == .track else {
            throw .invalid("\(place).blocked: clients can only block track events")
        }
        guard let list = (object["properties"] ?? []).elements, list.count <= Limits.plannedProperties else {
            throw .invalid("\(place).properties is a list of at most \(Limits.plannedProperties)")
        }
        for (index, property) in list.enumerated() {
            let property = try TrackingPlan.Property(property, "\(place).properties[\(index)]")
            guard !properties.contains(where: { $0.key.utf8.elementsEqual(property.key.utf8) }) else {
                throw .invalid("\(place).properties[\(index)] is planned twice: \(property.key)")
            }
            properties.append(property)
        }
    }

    package var json: JSON {
        .object(withoutNulls: [
            "type": .string(name.type.rawValue), "properties": .array(properties.map(\.json)),
            "name": .string(name.text), "description": description.isEmpty ? .null : .string(description),
            "owner": owner.isEmpty ? .null : .string(owner), "blocked": isBlocked ? true : .null,
        ])
    }
}

extension TrackingPlan.Property {
    fileprivate init(_ json: JSON, _ place: String) throws(Refusal) {
        let object = try TrackingPlan.object(json, place, ["key", "type", "required", "description", "values"])
        guard let key = object["key"]?.stringValue, (1...Limits.countedKeyBytes).contains(key.utf8.count) else {
            throw .invalid("\(place).key is a text of 1 to \(Limits.countedKeyBytes) bytes")
        }
        self.key = key
        if let type = object["type"], !type.isNull {
            guard let kind = type.stringValue.flatMap(PropertyKind.init(rawValue:)), kind != .null else {
                let kinds = PropertyKind.allCases.filter { $0 != .null }.map(\.rawValue).joined(separator: ", ")
                throw .invalid("\(place).type is one of \(kinds)")
            }
            self.kind = kind
        }
        isRequired = try object.member("required", "\(place).required is true or false", \.boolValue) ?? false
        description = try TrackingPlan.text(
            object["description"], "\(place).description", atMost: Limits.planDescriptionLength)
        values = try Self.values(object["values"], "\(place).values")
        guard values.isEmpty || kind == .string else {
            throw .invalid("\(place).values: only a property of the type string has allowed values")
        }
    }

    private static func values(_ json: JSON?, _ place: String) throws(Refusal) -> [String] {
        guard let json, !json.isNull else { return [] }
        guard let list = json.elements, list.count <= Limits.plannedValues else {
            throw .invalid("\(place) is a list of at most \(Limits.plannedValues) texts")
        }
        var values: [String] = []
        for (index, value) in list.enumerated() {
            guard let text = value.stringValue, text.count <= Limits.plannedValueLength else {
                throw .invalid("\(place)[\(index)] is a text of at most \(Limits.plannedValueLength) characters")
            }
            guard !values.contains(where: { $0.isSameText(as: text) }) else {
                throw .invalid("\(place)[\(index)] is there twice: \(text)")
            }
            values.append(text)
        }
        return values
    }

    fileprivate var json: JSON {
        .object(withoutNulls: [
            "key": .string(key), "type": .string(kind?.rawValue), "required": isRequired ? true : .null,
            "description": description.isEmpty ? .null : .string(description),
            "values": values.isEmpty ? .null : .strings(values),
        ])
    }
}
