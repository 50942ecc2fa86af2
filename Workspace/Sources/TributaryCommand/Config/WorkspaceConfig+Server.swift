import Foundation
import TributaryJSON

extension WorkspaceConfig {
    /// What a running workspace has.
    init(of client: AdministrationClient) async throws {
        let answer = try await client.get("api/sources")
        guard let sources = answer["sources"]?.elements else {
            throw Failure("the server's answer is not that of a workspace: \(answer)")
        }
        var configs: [SourceConfig] = []
        for source in sources { configs.append(try await Self.source(source, client)) }
        self.init(sources: configs)
    }

    private static func source(_ summary: JSON, _ client: AdministrationClient) async throws -> SourceConfig {
        guard let writeKey = summary["writeKey"]?.stringValue else { throw Failure("a source has no write key") }
        return SourceConfig(
            writeKey: writeKey, name: summary["name"]?.stringValue ?? writeKey,
            integrations: summary["integrations"]?.objectValue ?? [:],
            filters: try await client.get("api/sources/\(writeKey)/filters"),
            plugins: try await plugins(writeKey, client), keys: keys(summary["keys"]), policy: summary["policy"],
            destinations: try await destinations(writeKey, client))
    }

    /// Those that are valid.
    private static func keys(_ list: JSON?) -> [SourceConfig.KeyConfig]? {
        list?.elements?.compactMap { entry in
            guard let key = entry["key"]?.stringValue, entry["revokedAt"]?.isNull == true else { return nil }
            return SourceConfig.KeyConfig(key: key, name: entry["name"]?.stringValue ?? key)
        }
    }

    /// By name; nil where the workspace is of a version that forwards nothing.
    private static func destinations(_ writeKey: String, _ client: AdministrationClient) async throws -> JSONObject? {
        let answer: JSON
        do {
            answer = try await client.get("api/sources/\(writeKey)/destinations")
        } catch is AdministrationClient.NotFound {
            return nil
        }
        guard let list = answer["destinations"]?.elements else {
            throw Failure("the server's answer is not that of a workspace: \(answer)")
        }
        return JSONObject(
            members: list.compactMap { destination -> (String, JSON)? in
                guard let name = destination["name"]?.stringValue else { return nil }
                let members: [(String, JSON)] = ["kind", "enabled", "settings"].map { ($0, destination[$0] ?? .null) }
                return (name, .object(JSONObject(members: members)))
            })
    }

    private static func plugins(
        _ writeKey: String, _ client: AdministrationClient
    ) async throws -> SourceConfig.PluginsConfig? {
        let list = try await client.get("api/sources/\(writeKey)/live-plugins")
        guard let newest = list["versions"]?.elements?.first, let version = newest["version"]?.intValue,
            newest["bytes"]?.intValue != 0
        else { return nil }
        return SourceConfig.PluginsConfig(
            text: try await client.data("v1/projects/\(writeKey)/live-plugins/\(version).js"),
            signature: newest["signature"]?.stringValue, percentage: newest["percentage"]?.intValue ?? 100)
    }
}
