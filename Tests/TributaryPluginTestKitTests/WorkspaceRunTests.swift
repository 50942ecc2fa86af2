import Foundation
import Testing
import TributaryJSON
import TributaryPluginTestKit

@Suite("Bundles that run in the workspace") struct WorkspaceRunTests {
    private func scripts(_ source: String) throws -> WorkspaceRun {
        try WorkspaceRun(source: source, name: "plugins.js", writeKey: "WK", version: "7")
    }

    private static func plugin(_ track: String, _ type: String = "enrichment", _ destination: String = "null") -> String
    {
        """
        analytics.add(new (class Change extends LivePlugin {
          constructor() { super(LivePluginType.\(type), \(destination)); }
          track(event) { \(track) }
        })());
        """
    }

    private func event(_ name: String = "A", id: String = "m", userId: String = "u") -> JSON {
        [
            "type": "track", "event": .string(name), "messageId": .string(id), "userId": .string(userId),
            "timestamp": "2026-11-21T01:00:00.000Z", "context": ["library": ["name": "analytics.js"]],
            "properties": ["total": 42.10],
        ]
    }

    @Test("Plugins run in the order of a device, those of the cloud destination behind the client's own")
    func order() throws {
        let add = { (name: String) in "event.event += ' \(name)'; return event;" }
        let source = [
            Self.plugin(add("cloud"), "before", "'Segment.io'"), Self.plugin(add("enrichment")),
            Self.plugin(add("before"), "before"), Self.plugin(add("other"), "before", "'Amplitude'"),
            Self.plugin("event.event = 'no'; return null;", "after"),
        ].joined(separator: "\n")
        let outcome = try scripts(source).run(event())
        #expect(outcome.event?["event"] == "A before enrichment cloud")
        #expect(outcome.event?["properties"]?["total"]?.description == "42.1")
        #expect(outcome.isChanged)
    }

    @Test("An event that no plugin changes is known as unchanged")
    func unchanged() throws {
        let outcome = try scripts(Self.plugin("return event;")).run(event())
        #expect(!outcome.isChanged)
        #expect(outcome.event == event())
        #expect(outcome.made.isEmpty)
    }

    @Test(
        "Events of scripts get user, time, context and a derived id of the event that caused them, each time the same")
    func made() throws {
        let source = Self.plugin(
            "if (!event.context.__eventOrigin) { analytics.track('B', { n: 1 }); analytics.track('C'); } return event;")
        let outcomes = try (0..<2).map { _ in try scripts(source).run(event()).made }
        #expect(outcomes[0] == outcomes[1])
        let made = try #require(outcomes[0].first)
        #expect(outcomes[0].map { $0["messageId"] } == ["m-1", "m-2"])
        #expect(made["userId"] == "u")
        #expect(made["timestamp"] == "2026-11-21T01:00:00.000Z")
        #expect(made["context"]?["library"]?["name"] == "analytics.js")
        #expect(made["context"]?["__eventOrigin"]?["version"] == "7")
    }

    @Test("A script sees the user of its event, and neither the user of an earlier event nor another source")
    func users() throws {
        let source = """
            class User extends LivePlugin {
              constructor() { super(LivePluginType.enrichment, null); }
              identify(event) { return event; }
              track(event) {
                let other = "none";
                try { new Analytics("OTHER").track("x"); other = "reached"; } catch (error) { other = "refused"; }
                event.properties = { user: analytics.userId ?? null, traits: analytics.traits ?? null, other };
                return event;
              }
            }
            analytics.add(new User());
            """
        let scripts = try scripts(source)
        let identify: JSON = ["type": "identify", "messageId": "i", "userId": "u-1", "traits": ["mail": "a@b.c"]]
        #expect(!scripts.run(identify).isChanged)
        let outcome = scripts.run(event(userId: "u-2"))
        #expect(outcome.event?["properties"] == ["user": "u-2", "traits": .null, "other": "refused"])
        #expect(outcome.made.isEmpty)
    }

    @Test("Faults are counted with their places, and leave the event as it was")
    func faults() throws {
        let scripts = try scripts(Self.plugin("event.event = 'B';\n throw new Error('no price');"))
        for number in 0..<20 {
            let outcome = scripts.run(event(id: "m-\(number)"))
            #expect(outcome.event?["event"] == "A")
            #expect(!outcome.isChanged)
        }
        let health = try #require(scripts.takeHealth())
        #expect(health["version"] == "7")
        #expect(health["events"] == 20)
        #expect(health["faulty"] == 20)
        #expect(health["plugins"]?[0]?["fault"]?["line"] == 4)
        #expect(scripts.takeHealth() == nil)
    }

    @Test("A bundle that cannot be loaded says where")
    func broken() throws {
        let error = #expect(throws: PluginTestError.self) { try scripts("const a = 1;\nthrow new Error('x');") }
        #expect(error?.line == 2)
    }

    /// The text of each block of code, with the words behind its fence.
    private static func blocks(of guide: String) throws -> [(kind: String, text: String)] {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
        let text = try String(contentsOf: root.appendingPathComponent("docs/guides/\(guide)"), encoding: .utf8)
        let parts = text.components(separatedBy: "\n```")
        return stride(from: 1, to: parts.count, by: 2).map { index in
            let lines = parts[index].components(separatedBy: "\n")
            return (lines[0], lines.dropFirst().joined(separator: "\n"))
        }
    }

    @Test("The plugins of the guide do in the workspace what they do on a device")
    func guide() throws {
        var scripts: WorkspaceRun?
        var after: JSON?
        var examples = 0
        for block in try Self.blocks(of: "live-plugins.md") {
            switch block.kind {
            // Scripts of the workspace make events of their own source only.
            case "js plugin": scripts = block.text.contains("new Analytics(") ? nil : try self.scripts(block.text)
            case "json before": after = try scripts.map { try $0.run(JSON.parse(block.text)).event ?? .null }
            // Plugins of a destination on the device have no turn in the workspace.
            case let kind where kind.hasPrefix("json before"): after = nil
            case "json after":
                guard let result = after else { continue }
                #expect(result.description == (try JSON.parse(block.text)).description)
                examples += 1
            default: break
            }
        }
        #expect(examples > 5)
    }
}
