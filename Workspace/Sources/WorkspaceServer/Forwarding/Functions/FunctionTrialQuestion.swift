import TributaryJSON
import WorkspaceCore

/// Which code of a function is tried, and on which events.
struct FunctionTrialQuestion: Sendable {
    /// The version that is tried; nil for the stored code, or that of the request.
    let version: Int64?
    /// Whether the answer says what the stored code does differently.
    let compares: Bool
    private let object: JSONObject
    private let chosen: EventQuery

    private static let members = ["code", "template", "settings", "version", "compare", "last"]

    /// - Parameter query: the choice of events, as that of a replay.
    /// - Throws: `Refusal` with the first problem.
    init(query: String, body: JSON) throws(Refusal) {
        guard let object = body.objectValue else {
            throw .invalid("the body is empty, or an object with \(Self.members.joined(separator: ", "))")
        }
        if let stranger = object.first(where: { !Self.members.contains($0.key) }) {
            throw .invalid("a trial has no \(stranger.key); it has \(Self.members.joined(separator: ", "))")
        }
        version = try object.member("version", "version is a whole number", { $0.numberValue?.int64 })
        compares = try object.member("compare", "compare is true or false", \.boolValue) ?? false
        guard version == nil || (object["code"] == nil && object["template"] == nil && object["settings"] == nil) else {
            throw .invalid(
                "a version has its own code and settings; name neither code, template nor settings beside it")
        }
        let range = 1...Limits.functionTrialMostEvents
        let last = try object.member("last", "last is a number from \(range.lowerBound) to \(range.upperBound)") {
            $0.intValue.flatMap { range.contains($0) ? $0 : nil }
        }
        var chosen = try ReplayQuery(query).events
        (chosen.limit, chosen.order) = (last ?? Limits.functionTrialEvents, .descending)
        (self.object, self.chosen) = (object, chosen)
    }

    /// The stored settings, with the code and the values of the request in their places, or those of a version.
    func settings(of destination: Destination, _ versions: FunctionVersionList) throws(Refusal) -> FunctionSettings {
        if let version { return try FunctionSettings(versions.version(version).settings) }
        var settings = destination.settings
        if object["code"] != nil || object["template"] != nil { settings["code"] = Optional<JSON>.none }
        for name in ["code", "template", "settings"] {
            if let value = object[name] { settings[name] = value }
        }
        return try FunctionSettings(settings)
    }

    /// The newest events of the choice.
    func events(of writeKey: String) -> EventQuery {
        var query = chosen
        query.matches.append(EventQuery.Match(column: .writeKey, value: writeKey))
        return query
    }
}
