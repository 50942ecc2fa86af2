package import TributaryJSON
package import WorkspaceCore

/// Destinations in the form of configuration files.
package enum DestinationFile {
    /// The destination with the defaults filled in, so that two of them can be compared.
    /// - Throws: `Refusal` that says what is wrong.
    package static func normalized(_ json: JSON, name: String) throws(Refusal) -> JSON {
        guard Destination.isValid(name: name) else { throw .invalid(Destination.nameRule) }
        let change = try DestinationForm.change(json)
        // A file describes the final state, however often it is applied. The place to begin at is no part of it.
        guard change.fromStart == nil else { throw .invalid("from means nothing in a file") }
        guard change.rollout == nil else {
            throw .invalid("rollout means nothing in a file; begin one with `tributary destination set NAME --rollout`")
        }
        guard change.secret == nil, change.secrets == nil else {
            throw .invalid(
                "a file has no secret; store it with `tributary destination set NAME --secret-file FILE`")
        }
        guard let kind = change.kind, let settings = change.settings else {
            throw .invalid("a destination needs a kind and settings")
        }
        return [
            "kind": .string(kind.name), "enabled": .bool(change.isEnabled ?? true),
            "settings": .object(Self.withoutDeclaration(try kind.checked(settings))),
            "categories": .array((change.categories ?? []).map(JSON.string)),
        ]
    }

    /// The server reads the declaration of a function from its code.
    private static func withoutDeclaration(_ settings: JSONObject) -> JSONObject {
        var settings = settings
        settings["declaration"] = Optional<JSON>.none
        return settings
    }
}
