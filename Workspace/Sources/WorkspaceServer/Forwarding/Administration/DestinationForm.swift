import TributaryJSON
import WorkspaceCore

/// Reads a destination from an administrative request.
enum DestinationForm {
    private static let members = ["kind", "settings", "categories", "secret", "secrets", "enabled", "from", "rollout"]

    static func change(_ json: JSON) throws(Refusal) -> Store.DestinationChange {
        guard let object = json.objectValue else {
            throw .invalid("the body is an object with \(members.joined(separator: ", "))")
        }
        if let stranger = object.first(where: { !members.contains($0.key) }) {
            throw .invalid("a destination has no \(stranger.key); it has \(members.joined(separator: ", "))")
        }
        let kinds = DestinationKind.known.map(\.name).joined(separator: ", ")
        return Store.DestinationChange(
            kind: try object.member("kind", "there is no such kind of destination; there is: \(kinds)") {
                $0.stringValue.flatMap(DestinationKind.known)
            },
            settings: try object.member("settings", "settings must be an object", \.objectValue),
            categories: try object["categories"].map(ConsentCategories.read),
            secret: try object.member("secret", "secret is a text", \.stringValue).map(S3Settings.secret),
            secrets: try object["secrets"].map(FunctionSecrets.change),
            isEnabled: try object.member("enabled", "enabled is true or false", \.boolValue),
            rollout: try object["rollout"].map { json throws(Refusal) in try FunctionRolloutPlan(json) },
            fromStart: try object.member("from", "from is \"now\" or \"start\"") {
                ["now": false, "start": true][$0.stringValue ?? ""]
            })
    }
}
