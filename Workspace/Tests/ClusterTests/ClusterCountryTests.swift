import ClusterTestKit
import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite(
    "Countries on servers of a cluster", JetStreams.isInstalled, Stores.isInstalled, .serialized,
    .timeLimit(.minutes(30)))
struct ClusterCountryTests {
    @Test("An event gets the country from the database of the server that took it, whichever server stores it")
    func countries() async throws {
        let folder = try EngineFolder()
        let networks: KeyValuePairs = ["127.0.0.0/8": "GB", "203.0.113.0/24": "DE", "2001:db8::/32": "SE"]
        try CountryDatabases.countries(networks).write(to: folder.path + "/countries.mmdb")
        let servers = try await ClusterServer.start(2) { name in
            try await ClusterServer(
                name, nats: try await JetStreams.engines, stores: try await Stores.engines,
                countryDatabase: folder.path + "/countries.mmdb")
        }
        // Devices whose partitions are of both servers, in one request, so that the request is split.
        for (index, server) in servers.enumerated() {
            let addresses: [String?] = [nil, "203.0.113.7", "2001:db8::7", "10.0.0.1"]
            let events: [JSON] = (0..<16).map { device in
                var event: JSONObject = [
                    "type": "track", "event": "Step", "messageId": .string("m-\(index)-\(device)"),
                    "anonymousId": .string("d\(device)"),
                ]
                if let address = addresses[device % 4] { event["context"] = ["ip": .string(address)] }
                return .object(event)
            }
            #expect(try await server.send(events) == 200)
        }
        for server in servers {
            let list = try await server.get("/api/events?limit=200")["events"]?.elements ?? []
            #expect(list.count == 32)
            for event in list {
                let id = event["messageId"]?.stringValue?.split(separator: "-").last.flatMap { Int($0) } ?? 0
                let country = event["event"]?["context"]?["location"]?["country"]?.stringValue
                #expect(country == ["GB", "DE", "SE", nil][id % 4], "\(event)")
            }
            try await server.stop()
        }
    }
}
