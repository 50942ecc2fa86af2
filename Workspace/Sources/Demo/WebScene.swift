import Foundation
import TributaryJSON

/// A web client sends events to a source of its own. The app's live plugins run on them in the workspace, and a destination
/// function passes the stored events on to another source. A warehouse is loaded with them, too, when there is PostgreSQL.
struct WebScene {
    static let writeKey = "demo-web"
    static let copyKey = "demo-web-copy"
    /// Seconds within which everything has arrived, on a busy machine too.
    static let patience = 120.0
    private static let look = Duration.milliseconds(200)
    private static let batch = 100
    private static let destination = "Warehouse"

    let plan: DemoPlan
    let server: String
    let warehouse: Warehouse
    /// Throws when the person has stopped the demo.
    let checkInterruption: @Sendable () throws -> Void

    /// Where the events are loaded.
    enum Warehouse {
        case running(PostgresServer)
        /// Why there is none.
        case missing(String)
    }

    func run() async throws -> WebOutcome {
        let web = WorkspaceClient(server: server, writeKey: Self.writeKey, token: plan.token)
        let copy = WorkspaceClient(server: server, writeKey: Self.copyKey, token: plan.token)
        for client in [web, copy] { try await client.makeSource() }
        let file = plan.plugin(version: 2)
        guard let plugins = try? Data(contentsOf: file) else { throw DemoError("\(file.path) cannot be read") }
        _ = try await web.deployPlugins(plugins, query: "where=workspace")
        try await web.putDestination(
            "Copy",
            [
                "kind": "function", "from": "start", "secrets": ["writeKey": .string(Self.copyKey)],
                "settings": ["template": "segment-compatible", "settings": ["endpoint": .string(server)]],
            ])
        if case .running(let postgres) = warehouse {
            let settings = postgres.settings.mapValues { JSON.string($0) }
            try await web.putDestination(
                Self.destination, ["kind": "postgres", "from": "start", "settings": .object(JSONObject(settings))])
        }
        let visits = WebVisits()
        for start in stride(from: 0, to: visits.events.count, by: Self.batch) {
            try await web.sendBatch(Array(visits.events[start..<min(start + Self.batch, visits.events.count)]))
        }
        return try await arrived(visits, web, copy)
    }

    private func arrived(
        _ visits: WebVisits, _ web: WorkspaceClient, _ copy: WorkspaceClient
    ) async throws -> WebOutcome {
        let end = ContinuousClock.now + .seconds(Self.patience)
        while true {
            let outcome = WebOutcome(
                visits: visits, stored: try await events(web), copied: try await events(copy),
                warehouse: try await loaded(web))
            if outcome.problems.isEmpty || ContinuousClock.now >= end { return outcome }
            try checkInterruption()
            try await Task.sleep(for: Self.look)
        }
    }

    private func loaded(_ client: WorkspaceClient) async throws -> WebOutcome.Warehouse {
        switch warehouse {
        case .running(let postgres):
            return .rows(try await postgres.rows(), trouble: try await client.trouble(ofDestination: Self.destination))
        case .missing(let reason): return .leftOut(reason)
        }
    }

    private func events(_ client: WorkspaceClient) async throws -> [JSON] {
        var events: [JSON] = []
        try await client.visitEvents { events.append($0["event"] ?? .null) }
        return events
    }
}
