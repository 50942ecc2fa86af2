import TributaryJSON

/// The events that count as one step of a funnel.
package struct FunnelStep: Sendable, Equatable {
    package let kind: EventKind
    package let conditions: [JSONCondition]

    /// Reads a step. `{"type":"track","name":"Signed Up","where":["properties.plan=pro"]}` names a type, a name or both, and
    /// conditions that all have to hold. A text that does not begin with a brace is a name.
    package init(_ text: String) throws(Refusal) {
        guard text.utf8.count <= Limits.funnelStepBytes else {
            throw .invalid("a step has at most \(Limits.funnelStepBytes) bytes")
        }
        guard text.utf8.first == UInt8(ascii: "{") else {
            (kind, conditions) = (EventKind(type: nil, name: text), [])
            return
        }
        let members = try Self.members(text)
        let type = try members["type"].map { json throws(Refusal) in try Self.type(json) }
        let name = try members["name"].map { json throws(Refusal) in
            guard let name = json.stringValue, !name.isEmpty else { throw Self.invalid("a name is a text") }
            return name
        }
        conditions = try Self.conditions(members["where"] ?? [])
        guard type != nil || name != nil else { throw Self.invalid("a step has a type, a name or both") }
        kind = EventKind(type: type, name: name)
    }

    private static func invalid(_ reason: String) -> Refusal {
        .invalid(reason + #", as in {"type":"track","name":"Signed Up","where":["properties.plan=pro"]}"#)
    }

    private static func members(_ text: String) throws(Refusal) -> JSONObject {
        let json: JSON
        do {
            json = try JSON.parse([UInt8](text.utf8), limits: JSONLimits(depth: 4, bytes: Limits.funnelStepBytes))
        } catch {
            throw invalid("a step that begins with a brace is a JSON object")
        }
        guard case .object(let members) = json else { throw invalid("a step is a JSON object") }
        if let other = members.keys.first(where: { !["type", "name", "where"].contains($0) }) {
            throw invalid("a step has no \(other); its members are type, name and where")
        }
        return members
    }

    private static func type(_ json: JSON) throws(Refusal) -> EventType {
        guard let text = json.stringValue, let type = EventType(rawValue: text) else {
            let types = EventType.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("the type of a step is one of \(types)")
        }
        return type
    }

    private static func conditions(_ json: JSON) throws(Refusal) -> [JSONCondition] {
        guard let texts = json.elements, texts.count <= Limits.conditions else {
            throw invalid("where is a list of at most \(Limits.conditions) conditions")
        }
        var conditions: [JSONCondition] = []
        for text in texts {
            guard let text = text.stringValue else { throw invalid("a condition is a text") }
            conditions.append(try JSONCondition(text))
        }
        return conditions
    }

    /// Whether an event of this kind counts as this step.
    /// - Parameter event: its text.
    func holds(_ event: [UInt8]) throws(JSONError) -> Bool {
        try event.withUnsafeBufferPointer { event throws(JSONError) in
            for condition in conditions where try !condition.holds(event) { return false }
            return true
        }
    }
}
