import Foundation
import Testing
import TributaryJSON

@testable import Demo

/// A workspace and a shop with folders of their own, as real processes.
final class Scene {
    static let writeKey = "end-to-end"
    static let token = "the-token-of-this-scene"
    /// The seconds that a test waits for an answer; an answer takes one second, but a machine may be busy.
    static let patience = 60.0

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("end-to-end-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    // MARK: Workspace

    /// Runs a workspace while `body` runs; the body may call it by its client.
    func withWorkspace<Value>(
        port: Int = 0, _ body: (WorkspaceClient) async throws -> Value
    ) async throws -> Value {
        let server = try await ChildProcess(
            Programs.tributary,
            arguments: ["serve", "--port", "\(port)", "--data", path("workspace"), "--write-key", Self.writeKey],
            environment: ["TRIBUTARY_ADMIN_TOKEN": Self.token])
        do {
            let address = await server.line(after: "tributary: listening on ", within: Self.patience)
            let client = WorkspaceClient(
                server: try #require(address, "\(server.output)"), writeKey: Self.writeKey, token: Self.token)
            let value = try await body(client)
            await server.stop()
            return value
        } catch {
            await server.stop()
            throw error
        }
    }

    // MARK: Shop

    /// Starts the shop with its storage, ledger and summary in this scene's folder.
    func openShop(_ server: String, _ arguments: [String]) async throws -> ChildProcess {
        try await ChildProcess(
            Programs.storefront,
            arguments: [
                "--server", server, "--write-key", Self.writeKey, "--storage", path("device"), "--quiet", "--summary",
                path("summary.json"),
            ] + arguments)
    }

    /// Opens the shop and kills it with SIGKILL after the given share of its programme.
    func killShop(_ server: String, atPercent percent: Int, _ arguments: [String] = []) async throws {
        let shop = try await openShop(server, ["--ledger", path("ledger"), "--progress"] + arguments)
        let line = await shop.line(after: "storefront: \(percent) % ", within: Self.patience)
        shop.signal(SIGKILL)
        let ending = await shop.ended()
        try #require(line != nil, "\(shop.output)")
        try #require(ending == .signal(SIGKILL), "it was too quick to be killed")
    }

    /// Runs the shop to its end.
    func runShop(_ server: String, _ arguments: [String]) async throws -> (
        ending: ChildProcess.Ending, output: [String]
    ) {
        let shop = try await openShop(server, arguments)
        let ending = await shop.ended()
        return (ending, shop.output)
    }

    /// Sends the events that an earlier run of the shop left on the device.
    func resumeShop(_ server: String) async throws {
        let (ending, output) = try await runShop(server, ["--resume", "--flush-timeout", "\(Self.patience)"])
        try #require(ending == .exit(0), "\(output)")
    }

    /// The message ids of the calls that had returned.
    func ledger() throws -> [String] {
        try String(contentsOfFile: path("ledger"), encoding: .utf8).split(separator: "\n").map(String.init)
    }

    func summary() throws -> JSON {
        try JSON.parse([UInt8](Data(contentsOf: URL(fileURLWithPath: path("summary.json")))))
    }
}

extension WorkspaceClient {
    /// The message ids of all stored events, as often as they are stored.
    func storedIds() async throws -> [String] {
        var ids: [String] = []
        try await visitEvents { ids.append($0["event"]?["messageId"]?.stringValue ?? "") }
        return ids
    }
}
