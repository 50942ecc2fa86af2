import TributaryJSON
import WorkspaceCore

/// Says where a new version of live plugins runs.
struct PluginPlaces: Sendable {
    let sources: SourceRegistry
    let store: Store
    /// Whether this server can run live plugins itself.
    let runsScripts: Bool

    /// The name that clients which run live plugins, and say so, give themselves in `context.library`.
    private static let capable = "tributary"

    /// The chosen place. Without a choice: where the version before it runs, and for the first version, where it reaches what
    /// the source sends.
    /// - Parameter hasStages: whether devices decide how it is rolled out, so that it runs on devices, too.
    /// - Throws: `Refusal` for a place that is none, or that this server does not have.
    func place(_ chosen: String?, of writeKey: String, hasStages: Bool) async throws -> PluginPlace {
        let source = try await sources.known(writeKey)
        guard let chosen else {
            if let before = source.bundle, !before.isOff { return before.place }
            guard runsScripts else { return .device }
            let place = try await place(bySendersOf: writeKey)
            return hasStages && !place.runsOnDevices ? .both : place
        }
        guard let place = PluginPlace(rawValue: chosen) else {
            throw Refusal.invalid("where is one of \(PluginPlace.names)")
        }
        guard !place.runsInWorkspace || runsScripts else {
            throw Refusal(
                .unsupported,
                "this server cannot run live plugins: it was not started by the program tributary"
            )
        }
        return place
    }

    /// By the newest events: live plugins have to run in the workspace when some come from clients without them.
    private func place(bySendersOf writeKey: String) async throws -> PluginPlace {
        var (capable, others) = (false, false)
        try await store.forEachEvents(writeKey: writeKey, newest: Limits.placeKnownEvents) { rows in
            for row in rows {
                let library = try JSON.parse(row.body)["context"]?["library"]?["name"]?.stringValue
                if library == Self.capable { capable = true } else { others = true }
            }
            return !(capable && others)
        }
        guard others else { return .device }
        return capable ? .both : .workspace
    }
}
