import AnalyticsLive
import Foundation
import Testing
import Tributary
import TributaryJSON

@testable import Demo

/// The test runs real clients, a real workspace and its command line.
@Suite("Tracing on demand end to end", .serialized, .timeLimit(.minutes(30))) struct TraceTests {
    private static let script = """
        class Fix extends LivePlugin {
            track(event) {
                if (event.event === "Debug") return null
                event.properties.mail = "hidden"
                return event
            }
        }
        analytics.add(new Fix(LivePluginType.enrichment, null))
        """

    @Test("Devices of the named user trace their events without values, and no other device does")
    func order() async throws {
        let scene = try Scene()
        try await scene.withWorkspace { workspace in
            _ = try await workspace.deployPlugins(Data(Self.script.utf8))
            let command = try await ChildProcess(
                Programs.tributary,
                arguments: [
                    "trace", "--server", workspace.server, "--write-key", Scene.writeKey, "--user", "u-1", "--for",
                    "5m",
                    "--count", "4", "--json",
                ], environment: ["TRIBUTARY_ADMIN_TOKEN": Scene.token])
            let begun = await command.line(after: "devices trace the events of u-1", within: Scene.patience)
            try #require(begun != nil, "\(command.output)")
            let clients = ["u-1", "u-2"].map { Self.client($0, workspace) }
            let deadline = Date() + Scene.patience
            while command.isRunning, Date() < deadline {
                for client in clients {
                    client.track(name: "Viewed", properties: ["mail": "a@b.example"])
                    client.track(name: "Debug")
                    _ = await client.flush(timeout: Scene.patience)
                }
            }
            #expect(await command.ended() == .exit(0))
            let shown = try command.output.filter { $0.hasPrefix("{") }.map { try JSON.parse($0) }
            #expect(shown.count == 4)
            #expect(shown.allSatisfy { $0["userId"] == "u-1" })
            #expect(!command.output.contains { $0.contains("a@b.example") })
            let viewed = shown.first { $0["event"] == "Viewed" }
            let fix = viewed?["stages"]?.elements?.first { $0["plugin"] == "Fix" }
            #expect(fix?["changes"]?[0]?["path"] == "properties.mail")
            var drops: [JSON?] = []
            try await workspace.visitDrops { drops.append($0["userId"]) }
            #expect(!drops.isEmpty)
            #expect(drops.allSatisfy { $0 == "u-1" })
            for client in clients { await withCheckedContinuation { done in client.shutdown { done.resume() } } }
        }
    }

    private static func client(_ user: String, _ workspace: WorkspaceClient) -> Analytics {
        let host = workspace.server + "/v1"
        let analytics = Analytics(
            configuration: Configuration(writeKey: Scene.writeKey).apiHost(host).cdnHost(host)
                .trackApplicationLifecycleEvents(false).storageMode(.memory(10_000)))
        analytics.add(plugin: LivePlugins(fallbackFileURL: nil))
        analytics.identify(userId: user)
        return analytics
    }
}
