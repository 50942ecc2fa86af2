import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The proof of where the events of a person went", .timeLimit(.minutes(30))) struct ConsentProofTests {
    private static let sources = "/api/sources/WK"

    private static func event(_ id: String, _ ads: Bool?, minute: Int) -> JSON {
        var event = Events.track(messageId: id, userId: "u")
        event["timestamp"] = .string("2026-11-21T01:0\(minute):00.000Z")
        if let ads { event["context"] = ["consent": ["categoryPreferences": ["ads": .bool(ads)]]] }
        return event
    }

    @Test("For each event and destination it says what happened, why, and since when the user decided so")
    func proof() async throws {
        let receiver = Receiver { delivery, _ in
            Receiver.Answer(status: delivery.path == "/refuses" && delivery.id == "3" ? 400 : 200)
        }
        try await receiver.run { url in
            try await TestWorkspace.run { workspace async throws in
                let client = workspace.client
                func make(_ name: String, _ path: String, _ more: String = "") async throws {
                    let body = #"{"kind":"webhook","settings":{"url":"\#(url)\#(path)"}\#(more)}"#
                    #expect(try await client.put("\(Self.sources)/destinations/\(name)", body).status == 201)
                }
                try await client.batch([Self.event("0", true, minute: 0)])
                _ = try await client.events()
                try await make("Ads", "/ads", #","categories":["ads"]"#)
                try await make("All", "/all")
                try await make("Refuses", "/refuses")
                try await make("Off", "/off", #","enabled":false"#)
                try await client.batch([
                    Self.event("1", true, minute: 1), Self.event("2", false, minute: 2),
                    Self.event("3", false, minute: 3), Self.event("4", nil, minute: 4),
                ])
                var events: [JSON] = []
                repeat {
                    events = try await client.get("/api/consent?userId=u").json["events"]?.elements ?? []
                } while events.contains { event in
                    event["destinations"]?.elements?.contains { $0["reason"] == "it was not tried yet" } == true
                }
                #expect(events.map { $0["messageId"] } == ["4", "3", "2", "1", "0"])
                func way(_ index: Int, _ name: String) -> String {
                    let way = events[index]["destinations"]?.elements?.first { $0["name"]?.stringValue == name }
                    return "\(way?["state"]?.stringValue ?? "") \(way?["reason"]?.stringValue ?? "")"
                }
                #expect((0..<4).map { way($0, "All") } == ["sent ", "sent ", "sent ", "sent "])
                #expect(way(0, "Ads") == "sent ")
                #expect(way(1, "Ads") == "not sent held back: ads refused")
                #expect(way(3, "Ads") == "sent ")
                #expect(way(4, "Ads") == "not sent the event came before the destination was made")
                #expect(way(1, "Refuses").hasPrefix("not sent given up: 400"))
                #expect(way(1, "Off") == "waiting the destination is paused")
                func cause(_ index: Int, _ name: String) -> String? {
                    let way = events[index]["destinations"]?.elements?.first { $0["name"]?.stringValue == name }
                    return way?["cause"]?.stringValue
                }
                let causes = ["Ads", "Refuses", "Off", "All"].map { cause(1, $0) }
                #expect(causes == ["consent", "refused", "paused", nil])
                #expect(cause(4, "Ads") == "age")
                #expect(events[1]["consent"]?["preferences"] == ["ads": false])
                #expect(events[1]["consent"]?["since"] == "2026-11-21T01:02:00.000Z", "not since the last event")
                #expect(events[3]["consent"]?["since"] == "2026-11-21T01:00:00.000Z")
                #expect(events[0]["consent"]?["preferences"] == .null)
                let one = try await client.get("/api/consent?messageId=2").json["events"]?.elements ?? []
                #expect(one.count == 1)
                // What the destination really got.
                #expect(receiver.deliveries.filter { $0.path == "/ads" }.map(\.id).sorted() == ["1", "4"])

                let shown = try await CommandRun.finish(["consent", "show", "u", "--server", client.url])
                #expect(shown.status == 0, "\(shown.errors)")
                #expect(shown.output.contains("says: ads no, since 2026-11-21T01:02:00.000Z"))
                #expect(shown.output.contains("Ads  not sent: held back: ads refused"))
                let unknown = try await CommandRun.finish(["consent", "show", "x", "--server", client.url])
                #expect(unknown.output.contains("no event of this id is stored"))
            }
        }
    }

    @Test("A question that names nobody is refused") func nobody() async throws {
        try await TestWorkspace.run { workspace async throws in
            #expect(try await workspace.client.get("/api/consent").status == 400)
            #expect(try await workspace.client.get("/api/consent?userId=u&writeKey=NONE").status == 400)
            #expect(try await workspace.client.stranger.get("/api/consent?userId=u").status == 401)
        }
    }
}
