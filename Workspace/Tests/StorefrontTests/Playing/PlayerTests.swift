import Foundation
import ProgramSupport
import Testing
import Tributary
import TributaryJSON
import TributaryTesting

@testable import Storefront

/// The tests play programmes through a real client to a server that the test controls.
@Suite struct PlayerTests {
    private let ids = MessageIds()
    private let client: TestClient
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        client = TestClient { [ids] in $0.identifiers(ids.identifiers) }
    }

    private var ledger: String { folder.url.appendingPathComponent("ledger").path }

    private func play(_ programme: Programme, until stop: (Int) -> Bool = { _ in false }) async throws -> Int {
        let interruption = Interruption(signals: [])
        let player = Player(
            analytics: client.analytics, ids: ids, ledger: try Ledger(path: ledger),
            pace: Pace(eventsPerSecond: nil), time: SystemTimeSource(), interruption: interruption)
        return try await player.play(programme) { if stop($0) { interruption.raise() } }
    }

    private func noted() throws -> [String] {
        try String(contentsOfFile: ledger, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test("The ledger lists the message ids of all sent events in order")
    func ledgerOrder() async throws {
        let line = Sessions.json([
            ["do": "identify"], ["do": "screen", "title": "Home"], ["do": "view", "product": 1], ["do": "ping"],
            ["do": "group"], ["do": "alias", "to": "c-2"],
        ])
        let file = try InputFile(name: "F", contents: line.encoded() + Array("\n".utf8) + line.encoded())
        #expect(try await play(.sessions(file)) == 12)
        #expect(await client.delivered() == .sent)
        let sent = client.server.events.compactMap { $0["messageId"]?.stringValue }
        #expect(sent.count == 12)
        #expect(try noted() == sent)
    }

    @Test("Each session has a visitor of its own")
    func visitors() async throws {
        let line = Sessions.json([["do": "heartbeat"], ["do": "heartbeat"]])
        let file = try InputFile(name: "F", contents: line.encoded() + Array("\n".utf8) + line.encoded())
        _ = try await play(.sessions(file))
        await client.delivered()
        let visitors = client.server.events.compactMap { $0["anonymousId"]?.stringValue }
        #expect(visitors.count == 4)
        #expect(visitors[0] == visitors[1] && visitors[2] == visitors[3] && visitors[1] != visitors[2])
    }

    @Test("Recorded events are sent with their own ids and times")
    func recordedEvents() async throws {
        let event: JSON = [
            "type": "track", "event": "Change Committed", "messageId": "m-1", "userId": "u", "anonymousId": "a",
            "timestamp": "2014-06-24T18:18:32.000Z",
        ]
        #expect(try await play(.events(InputFile(name: "F", contents: event.encoded()))) == 1)
        await client.delivered()
        let sent = try #require(client.server.events.first)
        for key in ["type", "event", "messageId", "userId", "anonymousId", "timestamp"] {
            #expect(sent[key] == event[key])
        }
        #expect(try noted() == ["m-1"])
    }

    @Test("An interruption stops the player between two events")
    func interrupted() async throws {
        let line = Sessions.json(Array(repeating: ["do": "heartbeat"], count: 10))
        let file = try InputFile(name: "F", contents: line.encoded())
        #expect(try await play(.sessions(file), until: { $0 == 4 }) == 4)
        await client.delivered()
        #expect(client.server.events.count == 4)
        #expect(try noted().count == 4)
    }

    @Test("Properties and traits from types and from dictionaries reach the server unchanged")
    func properties() async throws {
        let steps: [JSON] = [["do": "view", "product": 0], ["do": "hover", "product": 1], ["do": "identify"]]
        _ = try await play(.sessions(InputFile(name: "F", contents: Sessions.json(steps).encoded())))
        await client.delivered()
        let events = client.server.events
        #expect(
            events[0]["properties"]
                == [
                    "product_did": "tea-1", "name": "Tee", "category": "Tea", "price": 8.9, "currency": "EUR",
                ])
        #expect(events[1]["properties"] == ["product_id": "pot-2", "name": "Kanne", "category": "Kitchen"])
        #expect(
            events[2]["traits"]
                == [
                    "name": "Käthe", "email": "kaethe@example.com", "createdAt": "2024-02-29", "locale": "de-DE",
                ])
    }
}
