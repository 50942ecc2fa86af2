import AnalyticsLive
import Foundation
import Testing
import Tributary
import TributaryJSON
import TributaryTesting

@testable import Demo

/// The test runs a real client, whose clock the test moves, and a real workspace.
@Suite("Devices follow a roll-out", .serialized, .timeLimit(.minutes(30))) struct FollowingTests {
    private let scene: Scene
    private let clock = ManualClock()

    init() throws { scene = try Scene() }

    @Test(
        "A device takes a version within a minute of a roll-out, and leaves the version a minute after the roll-back")
    func follow() async throws {
        try await scene.withWorkspace { workspace in
            let first = try await workspace.deployPlugins(script("first"))
            let analytics = client(workspace)
            try await runs("first", first, analytics, workspace)
            // The device may be in the first half or not: the last stage is for all devices.
            let second = try await workspace.deployPlugins(script("second"), query: "stages=50,100")
            clock.advance(by: 300)
            try await until { analytics.settings()?.document["settingsInterval"] == 60 }
            try await tributary(workspace, "rollout", "advance")
            clock.advance(by: 60)
            try await runs("second", second, analytics, workspace)
            try await tributary(workspace, "rollback")
            clock.advance(by: 60)
            try await runs("first", second + 1, analytics, workspace)
            #expect(analytics.settings()?.document["settingsInterval"] == nil)
            await withCheckedContinuation { done in analytics.shutdown { done.resume() } }
        }
    }

    @Test("A deployment and a stop arrive at once at a client with a held request, which never asks again by itself")
    func push() async throws {
        try await scene.withWorkspace { workspace in
            let first = try await workspace.deployPlugins(script("first"))
            let analytics = client(workspace) { $0.settingsPush(true).settingsInterval(0).transport(SystemTransport()) }
            try await runs("first", first, analytics, workspace)
            let second = try await workspace.deployPlugins(script("second"))
            try await runs("second", second, analytics, workspace)
            try await FleetScene.tributary(workspace, ["stop", "plugins"])
            try await until { analytics.settings()?.edgeFunction?["downloadURL"] == "" }
            await withCheckedContinuation { done in analytics.shutdown { done.resume() } }
        }
    }

    private func script(_ name: String) -> Data {
        Data(
            """
            class Fix extends LivePlugin { track(event) { event.properties.by = "\(name)"; return event } }
            analytics.add(new Fix(LivePluginType.enrichment, null))
            """.utf8)
    }

    private func client(
        _ workspace: WorkspaceClient, configure: (Configuration) -> Void = { _ in }
    ) -> Analytics {
        let host = workspace.server + "/v1"
        let configuration = Configuration(writeKey: Scene.writeKey).apiHost(host).cdnHost(host)
            .trackApplicationLifecycleEvents(false).storageMode(.memory(10_000)).timeSource(clock)
            .transport(URLSessionTransport())
        configure(configuration)
        let analytics = Analytics(configuration: configuration)
        analytics.add(plugin: LivePlugins(fallbackFileURL: nil))
        return analytics
    }

    /// The settings name the version, and then its script changes events.
    private func runs(_ name: String, _ version: Int, _ analytics: Analytics, _ workspace: WorkspaceClient) async throws
    {
        try await until { analytics.settings()?.edgeFunction?["version"]?.intValue == version }
        try await until {
            analytics.track(name: "Viewed", properties: ["seen": true])
            analytics.flush()
            var newest: JSON?
            try await workspace.visitEvents { newest = $0 }
            return newest?["event"]?["properties"]?["by"]?.stringValue == name
        }
    }

    /// The device's clock moves by moments only, and the next look is far away.
    private func until(_ isSo: () async throws -> Bool) async throws {
        let deadline = Date() + Scene.patience
        while Date() < deadline {
            if try await isSo() { return }
            clock.advance(by: 0.001)
            await Task.yield()
        }
        throw DemoError("the device does not follow")
    }

    private func tributary(_ workspace: WorkspaceClient, _ arguments: String...) async throws {
        let command = try await ChildProcess(
            Programs.tributary,
            arguments: ["plugin"] + arguments + ["--server", workspace.server, "--write-key", Scene.writeKey],
            environment: ["TRIBUTARY_ADMIN_TOKEN": Scene.token])
        let ending = await command.ended()
        try #require(ending == .exit(0), "\(arguments): \(command.output)")
    }
}
