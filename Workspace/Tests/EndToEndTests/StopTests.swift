import Foundation
import Testing
import TributaryJSON

@testable import Demo

/// A stop on many devices, with real processes: a workspace, its command line, and a program with real clients.
@Suite("Stops on devices end to end", .serialized, .timeLimit(.minutes(30))) struct StopTests {
    private static let devices = 400
    private static let patience = 300.0
    /// Seconds by which a report may be late, as the forecast allows it.
    private static let grace = 30.0

    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test(
        "A stop reaches 99 % of 400 active clients in the time that was foretold, and sooner when their requests are held",
        arguments: [0, 400])
    func reach(pushed: Int) async throws {
        try await scene.withWorkspace { client in
            _ = try await client.deployPlugins(Data("// one".utf8))
            let fleet = try await ChildProcess(
                Programs.fleet,
                arguments: [
                    "--server", client.server, "--write-key", Scene.writeKey, "--devices", "\(Self.devices)",
                    "--interval", "20", "--pushed", "\(pushed)",
                ])
            do {
                try #require(await fleet.line(after: "fleet: in use", within: Self.patience) != nil, "\(fleet.output)")
                // From the drills the workspace knows the devices, and that requests are held.
                for number in 1...2 {
                    try await FleetScene.tributary(client, ["stop", "plugins", "--drill"])
                    try await heard(client, by: Date() + Self.patience, stop: number)
                }
                try await FleetScene.tributary(client, ["stop", "plugins"])
                let foretold = try #require(try await foretold(client))
                #expect(foretold.timeIntervalSinceNow < (pushed > 0 ? 16 : 31))
                try await heard(client, by: foretold + Self.grace, stop: 3)
                fleet.signal(SIGTERM)
                #expect(await fleet.ended() == .exit(0))
            } catch {
                await fleet.stop()
                throw error
            }
        }
    }

    private func newest(_ client: WorkspaceClient) async throws -> JSON {
        let answer = try await FleetScene.tributary(client, ["stop", "list", "--json"])
        return try JSON.parse(answer.joined())["stops"]?[0] ?? .null
    }

    /// When 99 % of the devices will have heard of the newest stop.
    private func foretold(_ client: WorkspaceClient) async throws -> Date? {
        let forecast = try await newest(client)["reach"]?["forecasts"]?.elements?.first { $0["percent"] == 99 }
        if forecast?["state"] == "reached" { return Date() }
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return forecast?["at"]?.stringValue.flatMap(formatter.date)
    }

    /// Expects that 99 % of the devices have heard of the stop by then.
    private func heard(_ client: WorkspaceClient, by end: Date, stop: Int) async throws {
        var confirmed = 0
        repeat {
            let json = try await newest(client)
            #expect(json["number"]?.intValue == stop)
            confirmed = json["reach"]?["confirmed"]?.intValue ?? 0
            if confirmed * 100 >= Self.devices * 99 { return }
        } while Date() < end
        Issue.record("stop \(stop): \(confirmed) of \(Self.devices) devices heard of it: \(try await newest(client))")
    }
}
