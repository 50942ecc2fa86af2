import AnalyticsLive
import Foundation
import Testing
import Tributary
import TributaryJSON
import TributaryTesting

/// What an app might have.
private final class PriceInCents: EventPlugin {
    let type = PluginType.enrichment
    weak var analytics: Analytics?

    func track(event: TrackEvent) -> TrackEvent? {
        var event = event
        if event.event == "Debug" { return nil }
        if event.event == "Paid" { analytics?.track(name: "Receipt", properties: ["of": "Paid"]) }
        if let price = event.properties?["price"]?.doubleValue {
            event.properties?["price"] = .number(JSONNumber(Int(price * 100)))
        }
        return event
    }
}

@Suite("Golden sessions in the tests of an app")
struct GoldenClientTests {
    private static func file(_ lines: [String]) throws -> GoldenSessions {
        let head = #"{"tributaryGolden":1,"plan":[{"type":"track","name":"Paid"},{"type":"track","name":"Debug"}]}"#
        return try GoldenSessions(Array(([head] + lines).joined(separator: "\n").utf8))
    }

    private static func event(_ name: String, id: String) -> String {
        #"{"type":"track","event":"\#(name)","messageId":"\#(id)","anonymousId":"a","timestamp":"2026-11-30T10:00:00.000Z","#
            + #""context":{"app":{"version":"1"}},"properties":{"price":1.5}}"#
    }

    private static let cents = #","properties":{"price":150}}"#

    private static func after(_ name: String, id: String) -> String {
        event(name, id: id).replacingOccurrences(of: #","properties":{"price":1.5}}"#, with: cents)
    }

    @Test("Plugins that give the events of the file are without a difference")
    func same() async throws {
        let golden = try Self.file([
            #"{"session":"1","event":\#(Self.event("Paid", id: "m-1")),"after":\#(Self.after("Paid", id: "m-1")),"made":[{"type":"track","event":"Receipt","properties":{"of":"Paid"}}]}"#,
            #"{"session":"1","event":\#(Self.event("Debug", id: "m-2")),"after":null}"#,
            #"{"session":"2","event":\#(Self.event("Seen", id: "m-3")),"after":\#(Self.after("Seen", id: "m-3"))}"#,
            #"{"session":"2","signal":{"type":"navigation"}}"#,
        ])
        let review = try await TestClient.replay(golden) { $0.add(plugin: PriceInCents()) }
        #expect(review.lines == [])
        #expect(review.sessions == 2)
        #expect(review.records == 3)
        try review.expectSame()
    }

    @Test("Plugins that drop and change events fail the test with the review")
    func different() async throws {
        let golden = try Self.file([
            #"{"session":"1","event":\#(Self.event("Debug", id: "m-2"))}"#,
            #"{"session":"1","event":\#(Self.event("Seen", id: "m-3"))}"#,
        ])
        let review = try await TestClient.replay(golden) { $0.add(plugin: PriceInCents()) }
        #expect(review.broken.map(\.name.name) == ["Debug"])
        let failure = try #require(throws: GoldenDifference.self) { try review.expectNoBrokenRule() }
        #expect(failure.description.contains("properties.price: 1 events, such as 1.5 → 150"), "\(failure)")
    }

    @Test("The live plugins that come with an app are played, too")
    func livePlugins() async throws {
        let script = FileManager.default.temporaryDirectory.appendingPathComponent("golden-\(UUID().uuidString).js")
        defer { try? FileManager.default.removeItem(at: script) }
        try Data(
            """
            class Cents extends LivePlugin {
              constructor() { super(LivePluginType.enrichment, null); }
              track(event) { event.properties.price *= 100; return event; }
            }
            analytics.add(new Cents());
            """.utf8
        ).write(to: script)
        let golden = try Self.file([
            #"{"session":"1","event":\#(Self.event("Paid", id: "m-1")),"after":\#(Self.after("Paid", id: "m-1"))}"#
        ])
        // begin: docs/guides/testing.md
        let review = try await TestClient.replay(golden) { analytics in
            analytics.add(plugin: LivePlugins(fallbackFileURL: script, force: true))
        }
        try review.expectNoBrokenRule()
        // end
        #expect(review.lines == [])
    }

    @Test("The example of the documentation is the one that runs here")
    func documentation() throws {
        let code = try String(contentsOfFile: #filePath, encoding: .utf8)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/guides/testing.md"), encoding: .utf8)
        let example = code.components(separatedBy: "// begin: docs/guides/testing.md\n")[1]
            .components(separatedBy: "        // end")[0]
            .split(separator: "\n").map { $0.hasPrefix("        ") ? $0.dropFirst(8) : $0 }.joined(separator: "\n")
        #expect(page.contains(example))
    }
}
