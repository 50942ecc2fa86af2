import WorkspaceCore
import WorkspaceServer

/// Reads the state of the replicas of a store, without changing anything.
package enum StoreQueries {
    private static let patience = Duration.seconds(5)

    package static func facts(_ settings: ClickHouseSettings) async -> StoreFacts {
        let client = ClickHouseClient(settings)
        var facts = StoreFacts()
        facts.hosts = await withTaskGroup(of: (Int, StoreFacts.Host).self) { group in
            for index in client.hosts {
                group.addTask { (index, await host(index, client)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        return facts
    }

    private static func host(_ index: Int, _ client: ClickHouseClient) async -> StoreFacts.Host {
        let address = client.settings.hosts[index]
        var silent = StoreFacts.Host(address)
        do {
            guard let found = try await Attempt.within(patience, { try await look(at: index, client) }) else {
                silent.failure = "no, not within \(patience.components.seconds) s"
                return silent
            }
            return found
        } catch {
            silent.failure = "no: \(ErrorReason.text(error))"
            return silent
        }
    }

    private static func look(at index: Int, _ client: ClickHouseClient) async throws -> StoreFacts.Host {
        var host = StoreFacts.Host(client.settings.hosts[index])
        let look = HostQueries(client: client, index: index)
        host.version = try await look.version()
        try await note("macros", &host) { $0.macro = try await look.macro() }
        try await note("settings of the user", &host) { host in
            host.settings = try await look.settings(ofVersion: EngineVersion(host.version)?.main ?? 0)
        }
        try await note("the table", &host) { host in
            host.engine = try await look.engine()
            host.columns = try await look.columns()
            host.tableDefaults = try await look.tableDefaults()
        }
        try await note("replicas of the table", &host) { $0.replica = try await look.replica() }
        try await keeper(&host, look)
        return host
    }

    private static func keeper(_ host: inout StoreFacts.Host, _ look: HostQueries) async throws {
        do {
            try await look.askKeeper()
        } catch ClickHouseError.refused(let code, _) where HostQueries.noKeeper.contains(code) {
            host.hasKeeper = false
        } catch ClickHouseError.refused(let code, let text) where HostQueries.forbidden.contains(code) {
            host.unseen["keeper"] = text
        } catch let error as ClickHouseError {
            host.keeperFailure = "\(ErrorReason.text(error))"
        }
    }

    /// Stores the answer of a server, or notes that the user may not see it.
    private static func note(
        _ what: String, _ host: inout StoreFacts.Host, _ take: (inout StoreFacts.Host) async throws -> Void
    ) async throws {
        do {
            try await take(&host)
        } catch ClickHouseError.refused(_, let text) {
            host.unseen[what] = text
        }
    }
}
