import Testing
import TributaryJSON
import TributaryPluginTestKit
import TributaryTesting

@Suite("Playing golden sessions into a bundle")
struct GoldenReplayTests {
    private static func plugin(_ track: String, _ more: String = "") -> String {
        """
        class Trial extends LivePlugin {
          constructor() { super(LivePluginType.enrichment, null); this.seen = 0; }
          track(event) { \(track) }
        }
        analytics.add(new Trial());
        \(more)
        """
    }

    private static func event(_ name: String) -> GoldenRecord {
        GoldenRecord(.event(["type": "track", "event": .string(name), "messageId": "m", "properties": [:]]))
    }

    private static func golden(_ sessions: [[GoldenRecord]]) -> GoldenSessions {
        GoldenSessions(
            plan: [GoldenEventName(type: "track", name: "Paid")],
            sessions: sessions.enumerated().map { GoldenSession(name: "\($0)", records: $1) })
    }

    @Test("The recorded outcomes of a bundle are those that a comparison with itself finds again")
    func recorded() throws {
        let replay = GoldenReplay(
            source: Self.plugin(
                """
                this.seen += 1;
                if (event.event == "Debug") return null;
                if (event.event == "Paid") analytics.track("Receipt", { of: "Paid" });
                event.properties.seen = this.seen; event.properties.chance = Math.random(); return event;
                """), name: "p.js")
        var golden = Self.golden([[Self.event("Seen"), Self.event("Debug")], [Self.event("Paid")]])
        golden.sessions = try golden.sessions.map { try replay.recorded($0) }
        let records = golden.sessions.flatMap(\.records)
        #expect(records[0].outcome.after?["properties"]?["seen"] == 1)
        #expect(records[1].outcome.after == nil)
        // Each session begins like a newly installed app.
        #expect(records[2].outcome.after?["properties"]?["seen"] == 1)
        #expect(records[2].outcome.made.map { $0["event"] } == ["Receipt"])
        let review = try replay.review(of: try GoldenSessions(golden.encoded))
        #expect(review.isSame, "\(review.lines)")
        #expect(review.broken.isEmpty)
    }

    @Test("A bundle that drops a planned event breaks the rule, and its faults are told once")
    func broken() throws {
        var faults: [String] = []
        var replay = GoldenReplay(
            source: Self.plugin(#"if (event.event == "Paid") return null; throw new Error("no price");"#), name: "p.js")
        replay.fault = { faults.append($0) }
        let review = try replay.review(of: Self.golden([[Self.event("Paid"), Self.event("Seen")]]))
        #expect(review.broken.map(\.missing) == [1])
        #expect(faults.count == 1)
        #expect(faults.first?.contains("no price") == true)
    }

    @Test("Signals of a session make events, which go through the plugins")
    func signals() throws {
        let replay = GoldenReplay(
            source: Self.plugin(
                "event.properties.more = 1; return event;",
                """
                function processSignal(signal) {
                  if (signal.type == SignalType.Navigation) analytics.track("Seen", { page: signal.data.title });
                }
                """), name: "p.js")
        let signal: JSON = ["type": "navigation", "index": 3, "anonymousId": "a", "data": ["title": "Home"]]
        let session = try replay.recorded(GoldenSession(name: "1", records: [GoldenRecord(.signal(signal))]))
        let made = session.records[0].outcome.made
        #expect(made.map { $0["event"] } == ["Seen"])
        #expect(made.first?["properties"] == ["page": "Home", "more": 1])
        #expect(session.records[0].outcome.after == nil)
        let review = try GoldenReplay(source: "", name: "p.js")
            .review(of: GoldenSessions(sessions: [session]))
        #expect(review.names.map(\.dropped) == [1])
    }

    @Test("A bundle that cannot be loaded is an error")
    func unusable() {
        #expect(throws: PluginTestError.self) {
            try GoldenReplay(source: "const one = ;", name: "p.js").review(of: Self.golden([[Self.event("Paid")]]))
        }
    }
}
