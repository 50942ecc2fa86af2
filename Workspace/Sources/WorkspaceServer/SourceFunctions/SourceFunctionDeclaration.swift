package import TributaryJSON
package import WorkspaceCore

/// The declarations of the class of a source function, as a process has read them from the code.
package struct SourceFunctionDeclaration: Sendable, Equatable {
    /// As it is stored and shown.
    package let json: JSONObject
    package let verification: SourceVerification
    /// The secrets by name, with whether each is required.
    let secrets: [(name: String, isRequired: Bool)]

    package static func == (left: Self, right: Self) -> Bool { left.json == right.json }

    /// - Throws: `Refusal` when it is none.
    package init(_ json: JSON) throws(Refusal) {
        guard let secrets = json["secrets"]?.objectValue, json["settings"]?.objectValue != nil,
            json["class"]?.stringValue != nil, let verification = json["verification"]
        else { throw .invalid("the declaration of the source function is not that of a class; store its code again") }
        var own = JSONObject()
        for name in ["class", "settings", "secrets", "verification"] { own[name] = json[name] }
        self.json = own
        self.secrets = secrets.map { ($0.key, $0.value["required"]?.boolValue ?? false) }
        self.verification = try SourceVerification(
            verification, secrets: self.secrets, settings: json["settings"]?.objectValue?.map(\.key) ?? [])
    }

    /// The secrets after a change.
    /// - Throws: `Refusal` when a secret is not declared, or one that is required is missing.
    package func secrets(
        _ stored: FunctionSecrets, changedBy change: [String: String?]
    ) throws(Refusal) -> FunctionSecrets {
        let changed = try stored.changed(change, for: secrets)
        if let missing = secrets.first(where: { $0.isRequired && changed.values[$0.name] == nil }) {
            throw Refusal(.unusable, "the secret \(missing.name) is missing; name it in secrets")
        }
        return changed
    }
}
