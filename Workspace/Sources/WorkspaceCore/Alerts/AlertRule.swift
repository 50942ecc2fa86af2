package import TributaryJSON

/// Says when operators get a message, and where it goes.
package struct AlertRule: Sendable, Equatable {
    package let name: String
    package let kind: AlertKind
    package let target: AlertTarget

    /// - Parameters:
    ///   - json: the rule as the administration sets it, or as it is stored.
    ///   - old: the rule of that name before.
    /// - Throws: `Refusal` with the first problem.
    package init(_ name: String, _ json: JSON, keeping old: AlertRule? = nil) throws(Refusal) {
        try PlainName.check(name, of: "an alert rule", atMost: Limits.alertNameLength)
        guard let object = json.objectValue else { throw .invalid("an alert rule is an object with a kind") }
        kind = try AlertKind(object)
        let members = ["kind", "to", "url"] + AlertKind.members(of: kind.name)
        if let stranger = object.first(where: { !members.contains($0.key) }) {
            throw .invalid(
                "a rule of the kind \(kind.name) has no \(stranger.key); it has \(members.joined(separator: ", "))")
        }
        target = try AlertTarget(object, keeping: old?.target)
        self.name = name
    }

    /// With the whole address.
    var stored: JSON {
        var json = kind.json
        json["to"] = .string(target.to)
        if let url = target.url { json["url"] = .string(url) }
        return .object(json)
    }

    /// As the administration shows it.
    package var shown: JSONObject {
        var json: JSONObject = ["name": .string(name)]
        for (member, value) in kind.json { json[member] = value }
        json["to"] = .string(target.to)
        json["url"] = .string(target.shownURL)
        return json
    }
}
