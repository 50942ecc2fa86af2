import Foundation
import Testing
import TributaryJSON

@testable import TributaryPluginTestKit

/// Runs the templates of live plugins in Workspace/Templates/plugins on their own events, in both places.
@Suite("Templates of live plugins do what their expected events say") struct PluginTemplatesTests {
    struct Template: Sendable, CustomTestStringConvertible {
        let name: String
        let source: String
        let events: [JSON]
        /// The events after the plugin as text, `null` for one that is dropped.
        let expected: [String]

        var testDescription: String { name }

        init(_ folder: URL) throws {
            func text(_ name: String) throws -> String {
                try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            }
            func lines(_ name: String) throws -> [String] { try text(name).split(separator: "\n").map(String.init) }
            name = folder.lastPathComponent
            source = try text("plugin.js")
            events = try lines("events.ndjson").map { try JSON.parse(Array($0.utf8)) }
            expected = try lines("expected.ndjson")
        }

        /// The same template with another value of one of its constants.
        func source(setting constant: String, to value: String) throws -> String {
            let line = try #require(source.split(separator: "\n").first { $0.hasPrefix("const \(constant) = ") })
            return source.replacingOccurrences(of: line, with: "const \(constant) = \(value)")
        }

        static let all: [Template] = {
            let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
            let folder = root.appendingPathComponent("Workspace/Templates/plugins")
            guard
                let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted(),
                let templates = try? names.map({ try Template(folder.appendingPathComponent($0)) }), !templates.isEmpty
            else { preconditionFailure("the templates in \(folder.path) cannot be read") }
            return templates
        }()

        static func named(_ name: String) throws -> Template { try #require(all.first { $0.name == name }) }
    }

    @Test("On a device", arguments: Template.all)
    func device(_ template: Template) throws {
        let bundle = try PluginTestRun(source: template.source, name: "plugin.js")
        try compare(template) { event in
            let result = bundle.run(event)
            #expect(result.faults == [])
            #expect(result.sent == [])
            return result.after
        }
    }

    @Test("In the workspace", arguments: Template.all)
    func workspace(_ template: Template) throws {
        let bundle = try workspaceRun(template.source)
        try compare(template) { bundle.run($0).event }
        #expect(faults(of: bundle) == [])
    }

    @Test("All of them work in one bundle")
    func together() throws {
        let bundle = try workspaceRun(Template.all.map(\.source).joined(separator: "\n"))
        let event = page(
            ["url": "https://shop.example/?utm_source=news"], agent: "Mozilla/5.0 (compatible; Examplebot/1.0)")
        let context = try #require(bundle.run(event).event?["context"])
        #expect(context["campaign"] == ["source": "news"])
        #expect(context["bot"] == ["name": "Examplebot"])
        #expect(context["device"] == ["type": "bot"])
        #expect(faults(of: bundle) == [])
    }

    @Test("No check has anything against a template", arguments: Template.all)
    func review(_ template: Template) throws {
        let review = BundleReview(bytes: Array(template.source.utf8), name: "plugin.js", slowSeconds: .infinity)
        #expect(review.findings.map(\.message) == [])
    }

    @Test("Hostile events go through without a fault", arguments: Template.all)
    func hostile(_ template: Template) throws {
        let device = try PluginTestRun(source: template.source, name: "plugin.js")
        let workspace = try workspaceRun(template.source)
        for event in Self.hostileEvents {
            #expect(device.run(event).faults == [], "\(event)")
            #expect(workspace.run(event).event != nil, "\(event)")
        }
        #expect(faults(of: workspace) == [])
    }

    @Test("No ordinary user agent is taken for a robot")
    func ordinaryAgents() throws {
        #expect(OrdinaryUserAgents.all.count >= 100)
        let bundle = try workspaceRun(try Template.named("bots").source)
        for agent in OrdinaryUserAgents.all {
            let outcome = bundle.run(page([:], agent: agent))
            #expect(!outcome.isChanged, "\(agent)")
        }
    }

    @Test("A robot is dropped when the analyst wants that, also one of the analyst's own")
    func drop() throws {
        let template = try Template.named("bots")
        let bundle = try workspaceRun(try template.source(setting: "DROP", to: "true"))
        #expect(bundle.run(page([:], agent: "curl/8.5.0")).event == nil)
        #expect(bundle.run(page([:], agent: OrdinaryUserAgents.all[0])).event != nil)
        let own = try workspaceRun(try template.source(setting: "OWN_ROBOTS", to: #"["Acme-Monitor"]"#))
        let marked = own.run(page([:], agent: "acme-monitor 3 (okhttp)")).event
        #expect(marked?["context"]?["bot"] == ["name": "Acme-Monitor"])
    }

    @Test(
        "User agents are taken out of events when the analyst wants that",
        arguments: [("browser", "REMOVE_USER_AGENT"), ("bots", "REMOVE_USER_AGENT_AFTER_BOTS")])
    func removeUserAgent(name: String, constant: String) throws {
        let bundle = try workspaceRun(try Template.named(name).source(setting: constant, to: "true"))
        var event = page([:], agent: OrdinaryUserAgents.all[0])
        event["context"]?["userAgentData"] = ["platform": "Windows"]
        event["context"]?["locale"] = "de-DE"
        let context = try #require(bundle.run(event).event?["context"])
        #expect(context["userAgent"] == nil)
        #expect(context["userAgentData"] == nil)
        #expect(context["locale"] == "de-DE")
        #expect((context["browser"] != nil) == (name == "browser"))
    }

    @Test("Parameters of campaigns are taken out of addresses when the analyst wants that")
    func removeParameters() throws {
        let template = try Template.named("campaign")
        let bundle = try workspaceRun(try template.source(setting: "REMOVE_PARAMETERS", to: "true"))
        func left(_ address: String) -> JSON? {
            bundle.run(page(["url": .string(address)])).event?["context"]?["page"]?["url"]
        }
        #expect(left("https://a.example/?utm_source=x") == "https://a.example/")
        #expect(left("https://a.example/?utm_source=x&q=1&gclid=2#top") == "https://a.example/?q=1#top")
        #expect(left("https://a.example/?q=1&utm_source=x&utm_id=y#top") == "https://a.example/?q=1#top")
        #expect(left("https://a.example/?utm_source=x#/shop?utm_term=y&p=1") == "https://a.example/#/shop?p=1")
        let event = page(["url": "https://a.example/?q=1", "referrer": "https://a.example/?fbclid=1"])
        #expect(bundle.run(event).event?["context"]?["page"]?["referrer"] == "https://a.example/")
        let without = try workspaceRun(try template.source(setting: "KEEP_CLICK_IDS", to: "false"))
        let clicked = page(["url": "https://a.example/?utm_source=x&gclid=1"])
        #expect(without.run(clicked).event?["context"]?["campaign"] == ["source": "x"])
    }

    private func compare(_ template: Template, _ run: (JSON) -> JSON?) throws {
        #expect(template.events.count == template.expected.count)
        for (event, expected) in zip(template.events, template.expected) {
            #expect((run(event) ?? .null).description == expected)
        }
    }

    private func workspaceRun(_ source: String) throws -> WorkspaceRun {
        let run = try WorkspaceRun(source: source, name: "plugin.js", writeKey: "WK", version: "1")
        _ = run.takeHealth()
        return run
    }

    private func faults(of run: WorkspaceRun) -> [JSON] {
        (run.takeHealth()?["plugins"]?.elements ?? []).compactMap { $0["fault"] }
    }

    private func page(_ page: JSON, agent: String? = nil) -> JSON {
        var context: JSON = page == [:] ? [:] : ["page": page]
        context["userAgent"] = agent.map(JSON.string)
        return ["type": "page", "messageId": "m", "context": context]
    }

    /// Events with values of the wrong kind at each place that a template reads. None has more than the 32 KB of an event.
    private static let hostileEvents: [JSON] = {
        let long = String(repeating: "Mozilla/5.0 (bot/1 ", count: 400)
        let address = "https://a.example/?utm_source=%&gclid=%00&utm_term=\u{0}\u{202E}"
        let query: JSON = .string("?" + String(repeating: "utm_source=%F0%9F&&#?", count: 190))
        let odd: [JSON] = [
            .null, true, 7, -0.5, "", "x", [], [[]], [.null], [1, "a"], [:], ["a": .null], ["length": 3],
            ["__proto__": ["name": 1]], ["toString": 1, "includes": 2], .string(long), .string(address), query,
        ]
        let contexts = odd.flatMap { value -> [JSON] in
            [
                value, ["userAgent": value], ["userAgentData": value], ["page": value], ["campaign": value],
                ["userAgent": "Mozilla/5.0 (Windows NT 10.0)", "browser": value, "os": value, "device": value],
                ["userAgent": "curl/8", "bot": value], ["userAgentData": ["brands": value, "platform": value]],
                ["userAgentData": ["brands": [value, ["brand": value, "version": value]]]],
                ["userAgentData": ["fullVersionList": [value, ["brand": "Opera", "version": value]]]],
                ["page": ["url": value, "search": value, "referrer": value], "campaign": value],
                ["page": ["url": .string(address)], "campaign": ["source": value, "name": value]],
            ]
        }
        let types: [JSON] = ["page", "track", "identify", "screen", "group", "alias"]
        let byContext = contexts.flatMap { context in
            types.prefix(3).map { ["type": $0, "messageId": "m", "context": context] as JSON }
        }
        let byProperties = odd.flatMap { value in
            types.flatMap { type -> [JSON] in
                [
                    ["type": type, "messageId": "m", "properties": value],
                    ["type": type, "messageId": "m", "properties": ["url": value, "search": value]],
                ]
            }
        }
        return byContext + byProperties
    }()
}
