import Foundation
import TributaryJSON

/// A web client sends events to a source of its own. The app's live plugins run on them in the workspace, and a destination
/// function passes the stored events on to another source.
struct WebScene {
    static let writeKey = "demo-web"
    static let copyKey = "demo-web-copy"
    /// Seconds within which everything has arrived, on a busy machine too.
    static let patience = 120.0
    private static let look = Duration.milliseconds(200)
    private static let batch = 100

    let plan: DemoPlan
    let server: String
    /// Throws when the person has stopped the demo.
    let checkInterruption: @Sendable () throws -> Void

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
            let outcome = WebOutcome(visits: visits, stored: try await events(web), copied: try await events(copy))
            if outcome.problems.isEmpty || ContinuousClock.now >= end { return outcome }
            try checkInterruption()
            try await Task.sleep(for: Self.look)
        }
    }

    private func events(_ client: WorkspaceClient) async throws -> [JSON] {
        var events: [JSON] = []
        try await client.visitEvents { events.append($0["event"] ?? .null) }
        return events
    }
}
