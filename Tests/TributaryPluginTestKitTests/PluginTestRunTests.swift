import Foundation
import Testing
import TributaryJSON

@testable import TributaryPluginTestKit

/// Test runs of a bundle without a device.
@Suite struct PluginTestRunTests {
    private static let fix = """
        class Fix extends LivePlugin {
            track(event) {
                if (event.event === "Secret") return null
                event.properties.product_id = event.properties.product_did
                delete event.properties.product_did
                return event
            }
        }
        analytics.add(new Fix(LivePluginType.enrichment, null))
        """

    private static func event(_ name: String, _ properties: JSON) -> JSON {
        ["type": "track", "event": .string(name), "messageId": "m", "properties": properties]
    }

    @Test("A result has the event before and after the plugins, and nil for a dropped event")
    func results() throws {
        let testRun = try PluginTestRun(source: Self.fix, name: "p.js")
        let before = try JSON.parse(
            #"{"type":"track","event":"Viewed","messageId":"m","properties":{"product_did":9007199254740993,"x":1.50}}"#
        )
        let result = testRun.run(before)
        #expect(result.before == before)
        #expect(
            result.after?.description
                == #"{"type":"track","event":"Viewed","messageId":"m","properties":{"x":1.50,"product_id":9007199254740993}}"#
        )
        #expect(result.faults.isEmpty)
        #expect(result.microseconds > 0)
        #expect(testRun.run(Self.event("Secret", [:])).after == nil)
        let names = ["before", "after", "faults", "microseconds"]
        #expect(result.json.objectValue?.map(\.key) == names)
        #expect(testRun.run(Self.event("Secret", [:])).json["after"] == .null)
    }

    @Test("A fault has its plugin and its place")
    func faults() throws {
        let testRun = try PluginTestRun(source: Self.fix, name: "p.js")
        let event: JSON = ["type": "track", "event": "E", "messageId": "m"]
        let result = testRun.run(event)
        #expect(result.after == event)
        let fault = try #require(result.faults.first)
        #expect(fault.plugin == "Fix")
        #expect(fault.file == "p.js")
        #expect(fault.line == 4)
        #expect(result.json["faults"]?[0]?["message"]?.stringValue?.contains("TypeError") == true)
    }

    @Test(
        "A test run runs the stages in order, and a destination's plugins on demand; changes after all have no effect")
    func stages() throws {
        let source = """
            class Mark extends LivePlugin {
                constructor(type, mark, destination) { super(type, destination); this.mark = mark }
                track(event) {
                    if (this.mark === "a") console.log(event.properties.marks.join(" "))
                    event.properties.marks.push(this.mark)
                    return event
                }
            }
            analytics.add(new Mark("after", "a"))
            analytics.add(new Mark("enrichment", "e"))
            analytics.add(new Mark("before", "b"))
            analytics.add(new Mark("enrichment", "d", "Mixer"))
            """
        let event = Self.event("E", ["marks": []])
        var lines: [String] = []
        let plain = try PluginTestRun(source: source, name: "p.js") { lines.append($1) }
        let result = plain.run(event)
        #expect(result.after?["properties"]?["marks"] == ["b", "e"])
        #expect(result.changedBy == ["Mark", "Mark"])
        #expect(lines == ["b e"])
        let mixer = try PluginTestRun(source: source, name: "p.js", destination: "Mixer")
        #expect(mixer.run(event).after?["properties"]?["marks"] == ["b", "e", "d"])
        #expect(plain.plugins.map(\.type) == ["after", "enrichment", "before", "enrichment"])
    }

    @Test("A result has the events that scripts tracked, and the console has their lines")
    func sideEffects() throws {
        var lines: [String] = []
        let source = """
            class Count extends LivePlugin {
                track(event) {
                    if (event.event !== "E") return event
                    storage.setValue("n", (storage.getValue("n") ?? 0) + 1)
                    console.log("user", analytics.userId, storage.getValue("n"))
                    analytics.track("Counted", { n: storage.getValue("n") })
                    return event
                }
            }
            analytics.add(new Count(LivePluginType.enrichment))
            """
        let testRun = try PluginTestRun(source: source, name: "p.js") { lines.append("\($0): \($1)") }
        for _ in 1...2 { _ = testRun.run(["type": "track", "event": "E", "userId": "u-1"]) }
        let sent = testRun.run(["type": "track", "event": "E", "userId": "u-1"]).sent
        #expect(lines == (1...3).map { "log: user u-1 \($0)" })
        #expect(sent.map { $0["event"] } == ["Counted"])
        #expect(sent.first?["properties"] == ["n": 3])
    }

    @Test("Events that scripts track go through the plugins with ids of their own")
    func sentEvents() throws {
        let source = """
            const other = new Analytics("OTHER")
            class Twice extends LivePlugin {
                track(event) {
                    if (event.event === "E") {
                        analytics.track("Kept"); analytics.track("Dropped"); other.track("Elsewhere")
                        return event
                    }
                    if (event.event === "Dropped") return null
                    event.properties = { seen: event.messageId.length, by: event.userId, again: event.context.__eventOrigin.type }
                    return event
                }
            }
            analytics.add(new Twice(LivePluginType.enrichment))
            """
        let testRun = try PluginTestRun(source: source, name: "p.js")
        let result = testRun.run([
            "type": "track", "event": "E", "messageId": "m", "userId": "u-1", "anonymousId": "a-1",
        ])
        #expect(result.faults.isEmpty)
        #expect(result.sent.map { $0["event"] } == ["Kept", "Elsewhere"])
        #expect(result.sent.first?["properties"] == ["seen": 36, "by": "u-1", "again": "js"])
        #expect(result.sent.first?["anonymousId"] == "a-1")
    }

    @Test("A plugin that tracks each event again gets the error that it would get on a device")
    func deviceLimit() throws {
        let source = """
            class Again extends LivePlugin { track(event) { analytics.track(event.event); return event } }
            analytics.add(new Again(LivePluginType.enrichment))
            """
        let result = try PluginTestRun(source: source, name: "p.js").run([
            "type": "track", "event": "E", "messageId": "m",
        ])
        #expect(result.faults.count == 1)
        #expect(result.faults.first?.message.contains("because of an event that a script made") == true)
    }

    @Test("A fault has its place in the source when there is a source map")
    func sourceMaps() throws {
        // Made of two lines of plugin.ts: the class on its line 1, `null.x` on its line 3.
        let source = "class A extends LivePlugin{track(e){null.x}}analytics.add(new A(\"enrichment\"));"
        let map = #"{"version":3,"sources":["plugin.ts"],"names":[],"mappings":"AAAA,mCAEE"}"#
        let event: JSON = ["type": "track", "event": "E", "messageId": "m"]
        let beside = try PluginTestRun(source: source, name: "p.js", sourceMap: Data(map.utf8)).run(event)
        #expect(beside.faults.first?.file == "plugin.ts")
        #expect(beside.faults.first?.line == 3)
        let inline =
            source + "\n//# sourceMappingURL=data:application/json;base64," + Data(map.utf8).base64EncodedString()
        let carried = try PluginTestRun(source: inline, name: "p.js").run(event)
        #expect(carried.faults.first?.line == 3)
        #expect(throws: PluginTestError.self) { try PluginTestRun(source: source, name: "p.js", sourceMap: Data()) }
        let review = BundleReview(bytes: Array("null.x".utf8), name: "p.js", sourceMap: Data(map.utf8))
        #expect(review.findings.first?.file == "plugin.ts")
        #expect(review.findings.first?.line == 1)
    }

    @Test("The error of a bundle that does not load has its place")
    func loadError() {
        let error = #expect(throws: PluginTestError.self) { try PluginTestRun(source: "\nclass {", name: "p.js") }
        #expect(error?.line == 2)
        #expect(error?.description.hasPrefix("p.js:2:") == true)
    }

    // MARK: Review

    private func findings(_ source: String) -> [String] {
        BundleReview(bytes: Array(source.utf8), name: "p.js", slowSeconds: .infinity).findings
            .map { "\($0.severity) \($0.line.map(String.init) ?? "-") \($0.message)" }
    }

    @Test("A good bundle has no findings")
    func goodBundle() {
        let review = BundleReview(bytes: Array(Self.fix.utf8), name: "p.js", slowSeconds: .infinity)
        #expect(review.findings.isEmpty)
        #expect(review.isUsable)
        #expect(review.plugins.map(\.name) == ["Fix"])
        let template = PluginTemplate.script(name: "Mine")
        #expect(findings(template).isEmpty)
    }

    @Test("A review says when a bundle loads slowly, and the bundle can be used all the same")
    func slowBundle() {
        let review = BundleReview(bytes: Array(Self.fix.utf8), name: "p.js", slowSeconds: 0)
        #expect(review.findings.map(\.severity) == [.warning])
        #expect(review.findings.first?.message.hasPrefix("loading takes ") == true)
        #expect(review.isUsable)
    }

    @Test(
        "A review finds the common mistakes of a bundle",
        arguments: [
            ("", "error - it is empty"),
            ("class {", "error 1 SyntaxError"),
            ("import('x')", "error 1 import is not offered"),
            (
                "let x = 1\nif (x === 2) /(a+)+$/.test(x)",
                "error 2 /(a+)+$/ (column 14) can match a text in very many ways"
            ),
            ("let x = /a*a*b/", "warning 1 /a*a*b/ (column 9) takes long on a long text"),
            ("// fetch\n'fetch'; a.fetch = 1\nfetch('x')", "warning 3 fetch does not exist in the sandbox"),
            ("let x = 1", "warning - it does nothing"),
            (
                "class P extends LivePlugin { other(e) {} }\nanalytics.add(new P('before'))",
                "warning - P overrides no method"
            ),
            (
                "class P extends LivePlugin { track(e) {} }\nanalytics.add(new P('utility'))",
                "warning - P is a utility plugin"
            ),
            (
                "class P extends LivePlugin { update(s) {\ns.a.b } }\nanalytics.add(new P('utility'))",
                "error 2 update fails: P"
            ),
            (String(repeating: "//3456789\n", count: 11_000), "warning - it has 110000 bytes"),
            (
                String(repeating: "//3456789\n", count: 110_000),
                "error - it has 1100000 bytes; devices accept at most 1048576"
            ),
        ])
    func mistakes(source: String, finding: String) {
        let found = findings(source)
        #expect(found.contains { $0.hasPrefix(finding) }, "\(found)")
    }

    @Test(
        "A review finds a bundle that tracks its own events again, also one that looks at one event only",
        arguments: [
            ("track", "analytics.track(event.event, event.properties, { ...event.context, a: 1 }); return null", true),
            ("track", "if (event.event === 'Paid') { analytics.track('Paid', {}); return null } return event", true),
            ("process", "analytics.identify(event.userId, { a: 1 }); return event", true),
            ("screen", "analytics.track('Seen', { name: event.name }); return event", false),
            ("track", "if (event.event !== 'First') analytics.track('First', {}); return event", false),
            ("track", "event.context.a = 1; return event", false),
            (
                "track",
                """
                if (event.context.__eventOrigin) return event
                analytics.track(event.event, event.properties, { a: 1 })
                return null
                """, false
            ),
        ])
    func ownEventsAreFound(method: String, body: String, isFound: Bool) {
        let found = findings(
            "class P extends LivePlugin { \(method)(event) { \(body) } }\nanalytics.add(new P('enrichment'))")
        #expect(found.contains { $0.contains("that it sees, including its own") } == isFound, "\(found)")
    }

    @Test("A bundle that is not UTF-8 is an error")
    func notUTF8() {
        let review = BundleReview(bytes: [0x61, 0xFF], name: "p.js")
        #expect(review.findings.map(\.message) == ["it is not UTF-8"])
        #expect(!review.isUsable)
    }

    @Test("The declarations have each name that scripts get")
    func declarations() {
        for name in [
            "analytics", "Analytics", "LivePlugin", "LivePluginType", "UpdateType", "console", "storage",
        ] {
            #expect(
                PluginTemplate.declarations.contains("declare const \(name)")
                    || PluginTemplate.declarations.contains("declare class \(name)"), "\(name)")
        }
    }
}
