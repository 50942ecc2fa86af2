import Foundation
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

/// A hostile or careless script, and the message that the app gets.
struct HostileScript: Sendable, CustomTestStringConvertible {
    let name: String
    let body: String
    let diagnostic: String

    init(_ name: String, _ body: String, says diagnostic: String) {
        self.name = name
        self.body = body
        self.diagnostic = diagnostic
    }

    var testDescription: String { name }
}

#if os(Linux)
@Suite("Hostile scripts", .serialized)
struct HostileScriptTests {
    /// Small budgets, so that a script is stopped soon.
    private static let budget = LivePluginBudget(eventSeconds: 0.1, loadSeconds: 0.2, megabytes: 24)

    private static let before = """
        class First extends LivePlugin { track(event) { event.properties = { ...event.properties, first: true }; return event } }
        analytics.add(new First(LivePluginType.enrichment))

        """
    private static let after = """

        class Last extends LivePlugin { track(event) { event.properties = { ...event.properties, last: true }; return event } }
        analytics.add(new Last(LivePluginType.enrichment))
        """

    /// A bad plugin between two good ones.
    private static func plugin(_ body: String) -> String {
        before + "class Bad extends LivePlugin { \(body) }\nanalytics.add(new Bad(LivePluginType.enrichment))" + after
    }

    /// An endless script is stopped soon; every other script has all the time that a busy machine may need.
    private static func budget(for script: HostileScript) -> LivePluginBudget {
        let isLoop = script.diagnostic.contains("stopped after")
        return LivePluginBudget(
            eventSeconds: isLoop ? 0.1 : 60, loadSeconds: isLoop ? 0.2 : 60, megabytes: budget.megabytes)
    }

    /// A client with time enough for every script that ends, however slow the machine is.
    private func client(
        _ script: String,
        budget: LivePluginBudget = LivePluginBudget(eventSeconds: 60, loadSeconds: 60, megabytes: 24)
    ) -> Client {
        Deployment.client(script, plugin: LivePlugins(fallbackFileURL: nil, budget: budget))
    }

    static let inEvents = [
        HostileScript("loop", "track(event) { for (;;); }", says: "stopped after 100 ms"),
        HostileScript("loop in a trap", "track(event) { for (;;) try { for (;;); } catch {} }", says: "stopped after"),
        HostileScript(
            "loop in a getter", "get track() { if (globalThis.armed) for (;;); globalThis.armed = 1; return (e) => e }",
            says: "stopped after"),
        HostileScript("recursion", "track(event) { return [this.track(event)] }", says: "RangeError"),
        HostileScript(
            "exception", "track(event) { event.properties.half = 1; throw new Error('no') }", says: "Error: no"),
        HostileScript(
            "throwing getter", "track(event) { return { ...event, get properties() { throw new Error('got') } } }",
            says: "Error: got"),
        HostileScript(
            "throwing proxy", "track(event) { return new Proxy(event, { get() { throw new Error('trap') } }) }",
            says: "Error: trap"),
        HostileScript(
            "proxy that never answers", "track(event) { return new Proxy(event, { ownKeys() { for (;;); } }) }",
            says: "stopped after"),
        HostileScript(
            "async exception", "async track(event) { await 0; throw new Error('late') }", says: "Error: late"),
        HostileScript("async loop", "async track(event) { for (;;) await 0 }", says: "stopped after"),
        HostileScript(
            "async waiting", "async track(event) { await new Promise(() => { }); return null }",
            says: "waits for something that never comes"),
        HostileScript("async number", "async track(event) { return 42 }", says: "returned no event"),
        HostileScript(
            "shared parts",
            "track(event) { let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; event.a = JSON.stringify(a); return event }",
            says: "JSON.stringify: the length is limited"),
        HostileScript(
            "big integer", "track(event) { event.properties.id = 5n; return event }",
            says: "properties.id is a BigInt, which JSON cannot hold"),
        HostileScript("number", "track(event) { return 42 }", says: "returned no event"),
        HostileScript("nothing", "track(event) { event.properties = null }", says: "returned nothing"),
        HostileScript(
            "cycle", "track(event) { event.properties.me = event; return event }",
            says: "properties.me contains itself, which JSON cannot hold"),
        HostileScript(
            "huge string", "track(event) { event.properties.x = 'x'.repeat(1e6); return event }",
            says: "larger than 32768 bytes"),
        HostileScript("string beyond every limit", "track(event) { let s = 'x'; for (;;) s += s }", says: "RangeError"),
        HostileScript(
            "other event", "track(event) { return { ...event, messageId: 'stolen' } }", says: "returned another event"),
        HostileScript(
            "mutated LivePlugin", "track(event) { LivePlugin.prototype.track = () => null; return event }",
            says: "TypeError"),
        HostileScript(
            "mutated Object.prototype", "track(event) { Object.prototype.toJSON = () => 1; return event }",
            says: "TypeError"),
        HostileScript(
            "mutated Array.prototype", "track(event) { Array.prototype.push = () => 1; return event }",
            says: "TypeError"),
        HostileScript("mutated JSON", "track(event) { JSON.stringify = () => '{}'; return event }", says: "TypeError"),
        HostileScript(
            "replaced analytics", "track(event) { 'use strict'; analytics = null; return event }", says: "TypeError"),
    ]

    @Test("An event passes a bad plugin unchanged, and the other plugins do their work", arguments: inEvents)
    func inEvent(script: HostileScript) async {
        let client = client(Self.plugin(script.body), budget: Self.budget(for: script))
        client.analytics.track(name: "A", properties: ["kept": 1])
        await client.flushed()
        #expect(client.server.events.map { $0["properties"] } == [["kept": 1, "first": true, "last": true]])
        await client.reported(.pluginFault, count: 1)
        let fault = client.diagnostics.all(.pluginFault).first
        #expect(fault?.plugin == "Bad")
        #expect(fault?.message.contains(script.diagnostic) == true, "\(fault?.message ?? "none")")
        client.analytics.track(name: "B")
        await client.flushed()
        #expect(client.server.names == ["A", "B"])
        await client.ended()
    }

    static let inNotices = [
        HostileScript("loop in update", "update() { for (;;); }", says: "stopped after"),
        HostileScript("loop in flush", "flush() { for (;;); }", says: "stopped after"),
        HostileScript("loop in reset", "reset() { for (;;); }", says: "stopped after"),
        HostileScript("exception in update", "update() { throw new Error('no') }", says: "Error: no"),
        HostileScript("flush in flush", "flush() { analytics.flush(); throw new Error('asked') }", says: "asked"),
        HostileScript("reset in reset", "reset() { analytics.reset(); throw new Error('asked') }", says: "asked"),
        HostileScript(
            "async exception in update", "async update() { await 0; throw new Error('late') }", says: "Error: late"),
        HostileScript("settings", "update(settings) { settings.integrations.x.y = 1 }", says: "TypeError"),
    ]

    @Test("A plugin that fails in a notice does not harm other plugins or events", arguments: inNotices)
    func inNotice(script: HostileScript) async {
        let client = client(Self.plugin(script.body), budget: Self.budget(for: script))
        client.analytics.reset()
        client.analytics.track(name: "A")
        await client.flushed()
        await client.flushed()
        await client.reported(.pluginFault, count: 1)
        #expect(client.diagnostics.all(.pluginFault).allSatisfy { $0.message.contains(script.diagnostic) })
        client.analytics.track(name: "B")
        await client.flushed()
        let expected: JSON = ["first": true, "last": true]
        #expect(client.server.events.map { $0["properties"] } == [expected, expected])
        await client.ended()
    }

    static let atLoad = [
        HostileScript("loop", "for (;;);", says: "stopped after 200 ms"),
        HostileScript("memory", "const all = []; for (;;) all.push({ a: 1, b: 2 })", says: "hold more than 24 MB"),
        HostileScript("recursion", "(function f() { f() })()", says: "RangeError"),
        HostileScript("exception", "throw new Error('not today')", says: "not today"),
        HostileScript("syntax", "class {", says: "SyntaxError"),
        HostileScript("truncated", String(Deployment.stamp(1).dropLast(20)), says: "SyntaxError"),
        HostileScript("eval", "eval('1')", says: "eval"),
        HostileScript("Function", "new (function () {}).constructor('1')", says: "TypeError"),
        HostileScript("network", "fetch('http://x')", says: "fetch"),
        HostileScript("timer", "setTimeout(() => {}, 1)", says: "setTimeout"),
        HostileScript("promises", "(function f() { Promise.resolve().then(f) })()", says: "stopped after 200 ms"),
        HostileScript("async loop", "(async () => { for (;;) await 0 })()", says: "stopped after 200 ms"),
        HostileScript("module", "import x from 'y'", says: "import is not offered"),
        HostileScript("10 MB", String(repeating: "// filler\n", count: 1_000_000), says: "the limit is 1048576"),
        HostileScript("not UTF-8", "", says: "not UTF-8"),
    ]

    @Test("A bundle that cannot be loaded changes no event, and the fallback runs", arguments: atLoad)
    func load(script: HostileScript) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("fallback.js")
        try Data((Self.before + Self.after).utf8).write(to: file)
        let bytes = script.name == "not UTF-8" ? [0x2F, 0x2F, 0xFF, 0xC0] : Array(script.body.utf8)
        let client = Deployment.client(
            bytes: bytes, plugin: LivePlugins(fallbackFileURL: file, budget: Self.budget(for: script)))
        await client.reported(text: script.diagnostic)
        client.analytics.track(name: "A")
        await client.flushed()
        #expect(client.server.events.map { $0["properties"] } == [["first": true, "last": true]])
        await client.reported(text: "fallback runs")
        await client.ended()
    }

    @Test(
        "A download that is not the bundle is refused with the reason",
        arguments: [
            (404, "text/javascript", nil, "the server answered 404"), (200, "text/html", nil, "a web page"),
            (200, "text/javascript", "00", "its SHA-256 is"),
        ] as [(Int, String, String?, String)])
    func answer(status: Int, type: String, sha256: String?, diagnostic: String) async {
        let client = Deployment.client(Deployment.stamp(1), status: status, type: type, sha256: sha256)
        client.analytics.track(name: "A")
        await client.flushed()
        #expect(client.bundles == [nil])
        await client.reported(text: diagnostic)
        await client.ended()
    }

    @Test("A bundle that uses too much memory is stopped, and the one before runs again")
    func hoarder() async throws {
        let folder = try TemporaryFolder()
        let patient = LivePluginBudget(eventSeconds: 60, megabytes: 24)
        let client = Deployment.client(
            Deployment.stamp(1), plugin: LivePlugins(fallbackFileURL: nil, budget: patient),
            folder: folder.url)
        client.analytics.track(name: "A")
        await client.flushed()
        await client.deploy(
            version: 2,
            """
            globalThis.all = []
            class Hoard extends LivePlugin {
                track(event) { if (event.event === "Now") for (;;) all.push({ a: 1, b: 2 }); return event }
            }
            analytics.add(new Hoard(LivePluginType.enrichment))
            """)
        client.analytics.track(name: "Now")
        await client.processed()
        await client.reported(text: "version 2 is in quarantine")
        await client.reported(text: "version 1 runs")
        await client.processed()
        client.analytics.track(name: "B")
        await client.flushed()
        #expect(client.server.names == ["A", "Now", "B"])
        #expect(client.bundles == [1, nil, 1])
        #expect(client.diagnostics.all(.pluginFault).contains { $0.plugin == "Hoard" })
        await client.ended()
    }

    // MARK: Events without end

    @Test("A plugin that tracks an event for each event is stopped")
    func chain() async {
        let client = client(
            Self.plugin("track(event) { analytics.track(event.event + '+'); return event }"))
        client.analytics.track(name: "A")
        for _ in 0..<5 { await client.flushed() }
        await client.reported(text: "because of an event that a script made")
        #expect(client.server.names == ["A", "A+", "A++", "A+++"])
        #expect(client.server.events.allSatisfy { $0["properties"]?["last"] == true })
        await client.ended()
    }

    @Test("A plugin cannot get more events by hiding their origin")
    func hiddenChain() async {
        let client = client(
            """
            class Hide extends LivePlugin { process(event) { delete event.context; return event } }
            analytics.add(new Hide(LivePluginType.before))
            class Chain extends LivePlugin {
                track(event) { analytics.track(event.event + '+', {}, { __eventOrigin: null }); return event }
            }
            analytics.add(new Chain(LivePluginType.enrichment))
            """)
        client.analytics.track(name: "A")
        for _ in 0..<5 { await client.flushed() }
        #expect(client.server.names == ["A", "A+", "A++", "A+++"])
        await client.ended()
    }

    @Test("A plugin that makes many events of each event is stopped early")
    func avalanche() async {
        let client = client(
            Self.plugin(
                "track(event) { try { for (;;) analytics.track('N'); } catch (e) { throw e } return event }"))
        client.analytics.track(name: "A")
        for _ in 0..<4 { await client.flushed() }
        let count: Int = client.server.events.count
        // 100 events follow from the app's event, and 10 from each of nine more. The tenth fault switches the plugin
        // off.
        #expect(count == 191)
        await client.ended()
    }

    @Test("A plugin that tracks at each flush does not loop in an app that flushes after each event")
    func flushLoop() async {
        let client = Deployment.client(
            Self.plugin("flush() { analytics.track('Flushed'); }"),
            plugin: LivePlugins(fallbackFileURL: nil, budget: Self.budget)
        ) { $0.flushAt(1) }
        client.analytics.track(name: "A")
        await client.flushed()
        await client.reported(text: "events at flush")
        await client.flushed()
        #expect(client.server.names.filter { $0 == "Flushed" }.count <= 101)
        await client.ended()
    }
}
#endif
