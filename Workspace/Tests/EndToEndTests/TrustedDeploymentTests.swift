import AnalyticsLive
import Foundation
import Testing
import Tributary
import TributaryJSON
import TributaryTesting

@testable import Demo

/// The test runs the command, a real workspace and a real client that demands two signatures and the log.
@Suite("Two keys and the log of deployments", .serialized, .timeLimit(.minutes(30))) struct TrustedDeploymentTests {
    private let scene: Scene
    private let clock = ManualClock()

    init() throws { scene = try Scene() }

    @Test("A version runs when two keys have signed it; the workspace's own key and one of the two deploy nothing")
    func twoKeys() async throws {
        let keys = try await [key("build"), key("release")]
        try await scene.withWorkspace { workspace in
            let first = try script("first")
            // The owners of the keys sign on different machines.
            let other = try await tributary(workspace, "plugin", "sign", first, "--key", scene.path("release"))[0]
            try await deploy(workspace, first, "--key", scene.path("build"), "--signature", other)
            let device = launch(workspace, keys)
            try await runs("first", device, workspace)
            // A thief has the token of the workspace, and then one of the two keys.
            let second = try script("second")
            try await deploy(workspace, second)
            try await stays("first", on: 2, device, workspace)
            try await deploy(workspace, second, "--key", scene.path("build"), "--key", scene.path("build"))
            try await stays("first", on: 3, device, workspace)
            try await deploy(workspace, second, "--key", scene.path("release"), "--key", scene.path("build"))
            refresh(device)
            try await runs("second", device, workspace)
            await end(device)
        }
    }

    @Test("An auditor and a device notice a workspace with another history")
    func history() async throws {
        let keys = try await [key("build"), key("release")]
        let sign = ["--key", scene.path("build"), "--key", scene.path("release")]
        let head = scene.path("head.json")
        let port = try await scene.withWorkspace { workspace in
            try await deploy(workspace, try script("first"), sign)
            let device = launch(workspace, keys)
            try await runs("first", device, workspace)
            await end(device)
            let verified = try await tributary(workspace, "log", "verify", "--head", head, "--bundles")
            #expect(verified[0].hasPrefix("the log has 1 versions, root "), "\(verified)")
            #expect(verified[1] == "all 1 bundles are those of the log")
            try await deploy(workspace, try script("second"), sign)
            let again = launch(workspace, keys)
            try await runs("second", again, workspace)
            await end(again)
            let grown = try await tributary(workspace, "log", "verify", "--head", head)
            #expect(grown[0].hasSuffix("; it continues the 1 versions of the last check"), "\(grown)")
            return try #require(URL(string: workspace.server)?.port)
        }
        try FileManager.default.moveItem(atPath: scene.path("workspace"), toPath: scene.path("honest"))
        try await scene.withWorkspace(port: port) { workspace in
            // Another workspace at the same address: the owners of the keys sign, but a version is gone from its history.
            for name in ["hidden", "second", "third"] { try await deploy(workspace, try script(name), sign) }
            let device = launch(workspace, keys)
            try await stays("second", on: 3, device, workspace)
            await end(device)
            let (ending, output) = try await finish(workspace, "log", "verify", "--head", head)
            #expect(ending == .exit(1))
            #expect(output.last?.contains("are not those of the last check") == true, "\(output)")
        }
    }

    // MARK: The command

    private func key(_ name: String) async throws -> String {
        let command = try await ChildProcess(Programs.tributary, arguments: ["plugin", "key", scene.path(name)])
        try #require(await command.ended() == .exit(0))
        return try #require(command.output.first)
    }

    private func script(_ name: String) throws -> String {
        let path = scene.path(name + ".js")
        let text = """
            class Fix extends LivePlugin { track(event) { event.properties.by = "\(name)"; return event } }
            analytics.add(new Fix(LivePluginType.enrichment, null))
            """
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func deploy(_ workspace: WorkspaceClient, _ file: String, _ arguments: String...) async throws {
        try await deploy(workspace, file, arguments)
    }

    private func deploy(_ workspace: WorkspaceClient, _ file: String, _ arguments: [String]) async throws {
        let (ending, output) = try await finish(workspace, ["plugin", "deploy", file, "--yes"] + arguments)
        try #require(ending == .exit(0), "\(output)")
    }

    private func tributary(_ workspace: WorkspaceClient, _ arguments: String...) async throws -> [String] {
        let (ending, output) =
            arguments[1] == "sign" ? try await finish(nil, arguments) : try await finish(workspace, arguments)
        try #require(ending == .exit(0), "\(output)")
        return output
    }

    private func finish(
        _ workspace: WorkspaceClient, _ arguments: String...
    ) async throws -> (ChildProcess.Ending, [String]) {
        try await finish(workspace, arguments)
    }

    private func finish(
        _ workspace: WorkspaceClient?, _ arguments: [String]
    ) async throws -> (ChildProcess.Ending, [String]) {
        let source = workspace.map { ["--server", $0.server, "--write-key", Scene.writeKey] } ?? []
        let command = try await ChildProcess(
            Programs.tributary, arguments: arguments + source,
            environment: ["TRIBUTARY_ADMIN_TOKEN": Scene.token])
        return (await command.ended(), command.output)
    }

    // MARK: The device

    private func launch(_ workspace: WorkspaceClient, _ keys: [String]) -> Analytics {
        let host = workspace.server + "/v1"
        let analytics = Analytics(
            configuration: Configuration(writeKey: Scene.writeKey).apiHost(host).cdnHost(host)
                .trackApplicationLifecycleEvents(false).storageMode(
                    .diskAtURL(scene.folder.appendingPathComponent("device"))
                )
                .timeSource(clock).transport(URLSessionTransport()))
        analytics.add(
            plugin: LivePlugins(trust: BundleTrust(keys: keys, atLeast: 2, isLogged: true)))
        return analytics
    }

    private func end(_ analytics: Analytics) async {
        await withCheckedContinuation { done in analytics.shutdown { done.resume() } }
    }

    private func refresh(_ analytics: Analytics) { analytics.refreshSettings() }

    /// The device hears of that version, and its events go through the one before.
    private func stays(
        _ name: String, on version: Int, _ analytics: Analytics, _ workspace: WorkspaceClient
    ) async throws {
        refresh(analytics)
        try await until { analytics.settings()?.edgeFunction?["version"]?.intValue == version }
        try await runs(name, analytics, workspace)
    }

    /// The script changes events.
    private func runs(_ name: String, _ analytics: Analytics, _ workspace: WorkspaceClient) async throws {
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
}
