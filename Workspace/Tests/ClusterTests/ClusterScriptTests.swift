import ClusterTestKit
import Foundation
import Testing
import TributaryJSON

@testable import ClusterNATS
@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite(
    "Live plugins on servers of a cluster", JetStreams.isInstalled, Stores.isInstalled, .serialized,
    .timeLimit(.minutes(30)))
struct ClusterScriptTests {
    /// The program of the same build, which lies beside the tests.
    private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("tributary").path
    private static let script = """
        class Change extends LivePlugin {
          constructor() { super(LivePluginType.enrichment, null); }
          track(event) {
            if (event.event == "Drop") return null;
            if (event.event == "Make") analytics.track("Made");
            event.event = "Order " + event.event;
            return event;
          }
        }
        analytics.add(new Change());
        """

    private func servers() async throws -> [ClusterServer] {
        try await ClusterServer.start(2) { name in
            try await ClusterServer(
                name, nats: try await JetStreams.engines, stores: try await Stores.engines, program: Self.program)
        }
    }

    /// Deploys the script, and waits until all servers follow.
    private func deploy(_ servers: [ClusterServer]) async throws {
        let path = "/api/sources/WK/live-plugins"
        #expect(try await servers[0].put("\(path)?where=both", text: Self.script) == 200)
        for server in servers {
            while try await server.get(path)["current"]?.intValue != 1 {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private func event(_ name: String, of device: Int, ranOnDevice: Bool = false) -> JSON {
        var event: JSONObject = [
            "type": "track", "event": .string(name), "messageId": .string("m-\(device)-\(name)"),
            "anonymousId": .string("d\(device)"),
        ]
        if ranOnDevice { event["_metadata"] = ["livePlugins": ["device": 1]] }
        return .object(event)
    }

    private func names(_ server: ClusterServer) async throws -> [String] {
        let list = try await server.get("/api/events?limit=200")
        return list["events"]?.elements?.compactMap { $0["name"]?.stringValue }.sorted() ?? []
    }

    @Test("An event of a web page is stored as the script left it, at whichever server it arrives, and once")
    func renames() async throws {
        let servers = try await servers()
        try await deploy(servers)
        for device in 0..<8 {
            let events = ["Paid", "Drop", "Make"].map { event($0, of: device) }
            #expect(try await servers[device % 2].send(events) == 200)
            // The client did not get the answer and sends again, to the other server.
            #expect(try await servers[(device + 1) % 2].send(events) == 200)
        }
        try await servers[0].send([event("Device", of: 1, ranOnDevice: true)])
        let expected =
            (["Device"] + Array(repeating: "Order Made", count: 8) + Array(repeating: "Order Make", count: 8)
            + Array(repeating: "Order Paid", count: 8)).sorted()
        for server in servers { #expect(try await names(server) == expected) }
        let stored = try await servers[1].get("/api/events/m-3-Paid")
        #expect(stored["event"]?["_metadata"]?["livePlugins"] == ["workspace": 1])
        for server in servers { try await server.stop() }
    }

    @Test("The next owner of a partition runs the scripts when the first one ends, and doubles nothing")
    func handover() async throws {
        let servers = try await servers()
        try await deploy(servers)
        for device in 0..<8 { try await servers[0].send([event("Paid", of: device)]) }
        try await servers[0].stop()
        for device in 0..<8 {
            // What was acknowledged before comes once more, with something new.
            try await servers[1].send([event("Paid", of: device), event("Sent", of: device)])
        }
        let expected = Array(repeating: "Order Paid", count: 8) + Array(repeating: "Order Sent", count: 8)
        #expect(try await names(servers[1]) == expected)
        try await servers[1].stop()
    }
}
