import TributaryJSON
import WorkspaceCore
import WorkspaceServer

extension WorkspaceConfig {
    /// Reads the configuration of a running workspace.
    init(of client: AdministrationClient) async throws {
        let answer = try await client.get("api/sources")
        let sources = try answer.list("sources")
        var configs: [SourceConfig] = []
        for source in sources {
            guard let config = try await Self.source(source, client) else { continue }
            configs.append(config)
        }
        self.init(sources: configs)
    }

    /// Nil for a source of an older version whose key cannot be part of an address: it must not hide all others.
    private static func source(_ summary: JSON, _ client: AdministrationClient) async throws -> SourceConfig? {
        guard let writeKey = summary["writeKey"]?.stringValue else { throw Failure("a source has no write key") }
        guard WriteKey.isValid(writeKey) else {
            Console.error("the source \"\(writeKey)\" is left out: \(WriteKey.rule)")
            return nil
        }
        return SourceConfig(
            writeKey: writeKey, name: summary["name"]?.stringValue ?? writeKey,
            integrations: summary["integrations"]?.objectValue ?? [:],
            filters: try await client.get("api/sources/\(writeKey)/filters"),
            plugins: try await plugins(writeKey, client), keys: keys(summary["keys"]), policy: summary["policy"],
            plan: try await plan(writeKey, client), destinations: try await destinations(writeKey, client))
    }

    /// The keys that are valid.
    private static func keys(_ list: JSON?) -> [SourceConfig.KeyConfig]? {
        list?.elements?.compactMap { entry in
            guard let key = entry["key"]?.stringValue, entry["revokedAt"]?.isNull == true else { return nil }
            return SourceConfig.KeyConfig(key: key, name: entry["name"]?.stringValue ?? key)
        }
    }

    /// Nil when there is none, or the workspace is of a version without tracking plans.
    private static func plan(_ writeKey: String, _ client: AdministrationClient) async throws -> JSON? {
        do {
            let plan = try await client.get("api/sources/\(writeKey)/plan")
            return plan == TrackingPlan.none.json ? nil : plan
        } catch is AdministrationClient.NotFound {
            return nil
        }
    }

    /// By name; nil when the workspace is of a version without forwarding.
    private static func destinations(_ writeKey: String, _ client: AdministrationClient) async throws -> JSONObject? {
        let answer: JSON
        do {
            answer = try await client.get("api/sources/\(writeKey)/destinations")
        } catch is AdministrationClient.NotFound {
            return nil
        }
        let list = try answer.list("destinations")
        return JSONObject(
            members: list.compactMap { destination -> (String, JSON)? in
                guard let name = destination["name"]?.stringValue else { return nil }
                var settings = destination["settings"] ?? .null
                // The server reads it from the code of a function.
                settings["declaration"] = Optional<JSON>.none
                // A workspace of an older version has no categories.
                let members =
                    ["kind", "enabled"].map { ($0, destination[$0] ?? .null) }
                    + [("settings", settings), ("categories", destination["categories"] ?? [])]
                return (name, .object(JSONObject(members: members)))
            })
    }

    private static func plugins(_ writeKey: String, _ client: AdministrationClient) async throws -> PluginsConfig {
        let list = try await client.get("api/sources/\(writeKey)/live-plugins")
        let versions = try list.list("versions")
        var plugins = PluginsConfig.nothing
        if let forAll = versions.first(where: { $0["version"] == list["forAll"] }) {
            plugins.forAll = try await bundle(forAll, writeKey, client)
        }
        if let newest = versions.first, let percentage = newest["percentage"]?.intValue, (1..<100).contains(percentage),
            let bundle = try await bundle(newest, writeKey, client)
        {
            plugins.staged = PluginsConfig.Rollout(bundle: bundle, percentage: percentage)
        }
        return plugins
    }

    /// Nil for a version that switches live plugins off.
    private static func bundle(
        _ version: JSON, _ writeKey: String, _ client: AdministrationClient
    ) async throws -> PluginsConfig.Bundle? {
        guard let number = version["version"]?.intValue, version["bytes"]?.intValue != 0 else { return nil }
        return PluginsConfig.Bundle(
            text: try await client.data("v1/projects/\(writeKey)/live-plugins/\(number).js"),
            signature: version["signature"]?.stringValue, place: PluginWhere(version))
    }
}
