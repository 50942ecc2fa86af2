import TributaryJSON
import WorkspaceCore

/// The settings of a destination that writes files.
struct FileSettings: Sendable, Equatable {
    let format: ObjectFormat

    private static let members = ["format", "columns"]

    /// - Throws: `Refusal` with the first problem.
    init(_ settings: JSONObject) throws(Refusal) {
        if let stranger = settings.first(where: { !Self.members.contains($0.key) }) {
            throw .invalid(
                "a files destination has no setting \(stranger.key); its settings are "
                    + Self.members.joined(separator: ", "))
        }
        format = try ObjectFormat(settings: settings)
    }

    /// The format that every version knows is left out, because older settings do not have it.
    var json: JSONObject {
        guard case .parquet(let columns) = format else { return [:] }
        var json: JSONObject = ["format": .string(format.name)]
        if let columns { json["columns"] = .string(columns) }
        return json
    }
}
