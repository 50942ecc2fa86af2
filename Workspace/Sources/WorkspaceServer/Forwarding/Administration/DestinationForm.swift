import TributaryJSON
import WorkspaceCore

/// Reads a destination from an administrative request.
enum DestinationForm {
    private static let members = ["kind", "settings", "categories", "secret", "enabled", "from"]

    static func change(_ json: JSON) throws(Refusal) -> Store.DestinationChange {
        guard let object = json.objectValue else {
            throw .invalid("the body is an object with \(members.joined(separator: ", "))")
        }
        if let stranger = object.first(where: { !members.contains($0.key) }) {
            throw .invalid("a destination has no \(stranger.key); it has \(members.joined(separator: ", "))")
        }
        return Store.DestinationChange(
            kind: try kind(object["kind"]), settings: try settings(object["settings"]),
            categories: try object["categories"].map(ConsentCategories.read), secret: try secret(object["secret"]),
            isEnabled: try flag(object["enabled"]), fromStart: try start(object["from"]))
    }

    private static func kind(_ value: JSON?) throws(Refusal) -> DestinationKind? {
        guard let value else { return nil }
        guard let kind = value.stringValue.flatMap(DestinationKind.init(rawValue:)) else {
            let kinds = DestinationKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("there is no such kind of destination; there is: \(kinds)")
        }
        return kind
    }

    private static func settings(_ value: JSON?) throws(Refusal) -> JSONObject? {
        guard let value else { return nil }
        guard let settings = value.objectValue else { throw .invalid("settings must be an object") }
        return settings
    }

    private static func secret(_ value: JSON?) throws(Refusal) -> [UInt8]? {
        guard let value else { return nil }
        guard let secret = value.stringValue else { throw .invalid("secret is a text") }
        return try S3Settings.secret(secret)
    }

    private static func flag(_ value: JSON?) throws(Refusal) -> Bool? {
        guard let value else { return nil }
        guard let flag = value.boolValue else { throw .invalid("enabled is true or false") }
        return flag
    }

    private static func start(_ value: JSON?) throws(Refusal) -> Bool? {
        guard let value else { return nil }
        switch value.stringValue {
        case "now": return false
        case "start": return true
        default: throw .invalid("from is \"now\" or \"start\"")
        }
    }
}
