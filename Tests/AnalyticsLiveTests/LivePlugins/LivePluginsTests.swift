import Foundation
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

@Suite("Live plugins in the timeline")
struct LivePluginsTests {
    static let url = "http://server.test/v1/projects/KEY/live-plugins/1.js"

    /// The plugin of the documentation, and one that drops.
    static let fix = """
        class FixProductViewed extends LivePlugin {
            track(event) {
                if (event.event == "Product Viewed") {
                    event.properties.product_id = event.properties.product_did
                    delete event.properties.product_did
                }
                return event
            }
        }
        analytics.add(new FixProductViewed(LivePluginType.enrichment, null))
        class DropDebug extends LivePlugin {
            track(event) { return event.event === "Debug" ? null : event }
        }
        analytics.add(new DropDebug(LivePluginType.before, null))
        """

    private func stamp(_ version: Int) -> String {
        """
        class Stamp extends LivePlugin {
            process(event) { event.context.bundle = \(version); return super.process(event) }
        }
        analytics.add(new Stamp(LivePluginType.enrichment, null))
        """
    }

    private func settings(version: Int, sha256: String? = nil, url: String = Self.url) -> JSON {
        var function: JSON = ["version": .number(JSONNumber(version)), "downloadURL": .string(url)]
        function["sha256"] = sha256.map(JSON.string)
        return ["integrations": ["Amplitude": true], "edgeFunction": function]
    }

    /// A client whose workspace has deployed a script.
    private func client(
        version: Int = 1, _ script: String, status: Int = 200, sha256: String? = nil, fallback: LivePlugins? = nil,
        folder: URL? = nil, configure: (Configuration) -> Void = { _ in }
    ) -> Client {
        let server = TestServer()
        server.answerSettings(settings(version: version, sha256: sha256))
        server.answerBundle(script, status: status)
        let client = Client(server: server, folder: folder, configure: configure)
        client.analytics.add(plugin: fallback ?? LivePlugins(fallbackFileURL: nil))
        return client
    }

    private func refresh(_ client: Client) async {
        await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
    }

    private func bundles(_ client: Client) -> [JSON?] { client.server.events.map { $0["context"]?["bundle"] } }

    @Test("A deployed plugin changes and drops events, from the first event on")
    func deployed() async {
        let client = client(Self.fix, sha256: ScriptBundle.sha256(of: Array(Self.fix.utf8)))
        client.analytics.track(name: "Product Viewed", properties: ["product_did": "p-1", "id": 9_007_199_254_740_993])
        client.analytics.track(name: "Debug")
        client.analytics.identify(userId: "u-1")
        await client.flushed()
        #expect(client.server.events.map { $0["type"] } == ["track", "identify"])
        #expect(client.server.events.first?["properties"] == ["product_id": "p-1", "id": 9_007_199_254_740_993])
        #expect(client.analytics.counters.droppedByPlugin == [.init(by: "DropDebug", destination: nil): 1])
    }

    @Test("A plugin of a destination changes only that destination's events")
    func destination() async {
        let client = client(
            """
            class RemoveAdvertisingId extends LivePlugin {
                process(event) {
                    delete event.context.device.advertisingId
                    return super.process(event)
                }
            }
            let deleteAdID = new RemoveAdvertisingId(LivePluginType.enrichment, "Amplitude")
            analytics.add(deleteAdID)
            """)
        client.analytics.add(
            plugin: Recorder(.before, name: "Device") { event in
                var event = event
                let hasDevice = (event as? TrackEvent)?.event != "Without device"
                event.context = hasDevice ? ["device": ["advertisingId": "ad", "model": "m"]] : [:]
                return event
            })
        let amplitude = TestDestination("Amplitude")
        client.analytics.add(plugin: amplitude)
        client.analytics.track(name: "With device")
        client.analytics.track(name: "Without device")
        await client.flushed()
        #expect(amplitude.received.first?.context?["device"] == ["model": "m"])
        #expect(amplitude.received.count == 2)
        #expect(client.server.events.first?["context"]?["device"]?["advertisingId"] == "ad")
        await client.reported(.pluginFault, count: 1)
        let fault = client.diagnostics.all(.pluginFault).first
        #expect(fault?.plugin == "RemoveAdvertisingId")
        #expect(fault?.message.contains("livePlugin-1.js:3") == true)
    }

    @Test("Plugins of a destination's timeline come before the scripts of their type, each event in order")
    func betweenPlugins() async {
        let client = client(
            """
            class Mark extends LivePlugin {
                constructor(type, mark) { super(type, "Amplitude"); this.mark = mark }
                track(event) {
                    if (event.event === "Dropped by script") { return null }
                    event.properties.path = event.properties.path + this.mark
                    return event
                }
            }
            analytics.add(new Mark(LivePluginType.before, " script1"))
            analytics.add(new Mark(LivePluginType.enrichment, " script2"))
            """)
        let amplitude = TestDestination("Amplitude")
        func mark(_ type: PluginType, _ mark: String) -> Recorder {
            Recorder(type, name: mark) { event in
                guard var event = event as? TrackEvent, event.event != "Dropped by plugin" else { return nil }
                let path = event.properties?["path"]?.stringValue ?? ""
                event.properties?["path"] = .string(path + mark)
                return event
            }
        }
        amplitude.add(plugin: mark(.enrichment, " plugin2"))
        amplitude.add(plugin: mark(.before, "plugin1"))
        client.analytics.add(plugin: amplitude)
        for number in 0..<50 { client.analytics.track(name: "E\(number)", properties: ["path": ""]) }
        client.analytics.track(name: "Dropped by script", properties: ["path": ""])
        client.analytics.track(name: "Dropped by plugin", properties: ["path": ""])
        await client.flushed()
        let received = amplitude.received.compactMap { $0 as? TrackEvent }
        #expect(received.map(\.event) == (0..<50).map { "E\($0)" })
        #expect(received.allSatisfy { $0.properties?["path"] == "plugin1 script1 plugin2 script2" })
        let drops = client.analytics.counters.droppedByPlugin
        #expect(drops[.init(by: "Mark", destination: "Amplitude")] == 1)
        #expect(drops.values.reduce(0, +) == 2)
        #expect(client.server.names.count == 52)
    }

    @Test("A new version replaces the running one between two events")
    func replacement() async {
        let client = client(stamp(1))
        client.analytics.track(name: "A")
        await client.flushed()
        client.server.answerBundle(stamp(2))
        client.server.answerSettings(settings(version: 2))
        await refresh(client)
        await client.reported(.livePlugins, count: 2)
        client.analytics.track(name: "B")
        await client.flushed()
        #expect(bundles(client) == [1, 2])
    }

    @Test(
        "A download that is not the bundle is not installed, and the version before goes on",
        arguments: ["status", "page", "hash", "syntax", "throws"])
    func refused(how: String) async {
        let client = client(stamp(1))
        client.analytics.track(name: "A")
        await client.flushed()
        switch how {
        case "status": client.server.answerBundle(stamp(2), status: 404)
        case "page": client.server.answerBundle("<html></html>", type: "text/html")
        case "syntax": client.server.answerBundle("class {")
        case "throws": client.server.answerBundle(stamp(2) + "\nthrow new Error('not today')")
        default: client.server.answerBundle(stamp(2))
        }
        client.server.answerSettings(settings(version: 2, sha256: how == "hash" ? "00" : nil))
        await refresh(client)
        await client.reported(.livePlugins, count: 2)
        client.analytics.track(name: "B")
        await client.flushed()
        #expect(bundles(client) == [1, 1])
    }

    @Test("A failed download is tried again")
    func retried() async {
        let client = client("", status: 503)
        client.analytics.track(name: "A")
        await client.flushed()
        client.server.answerBundle(stamp(1))
        client.time.advance(by: 2)
        await client.reported(.livePlugins, count: 2)
        client.analytics.track(name: "B")
        await client.flushed()
        #expect(bundles(client) == [nil, 1])
    }

    @Test("The fallback file runs without a network, and when it is forced", arguments: [false, true])
    func fallback(isForced: Bool) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("fallback.js")
        try stamp(0).write(to: file, atomically: true, encoding: .utf8)
        let client = client(
            stamp(1), status: isForced ? 200 : 503, fallback: LivePlugins(fallbackFileURL: file, force: isForced))
        client.analytics.track(name: "A")
        await client.flushed()
        #expect(bundles(client) == [0])
    }

    @Test(
        "Example 24: the fallback file runs at a first launch without a network, and without such a file nothing breaks"
    )
    func firstLaunchWithoutNetwork() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("myFallback.js")
        try Self.fix.write(to: file, atomically: true, encoding: .utf8)
        for fallbackURL in [file, nil] as [URL?] {
            let server = TestServer()
            server.answerSettings(.failure(TransportError("no network")))
            let client = Client(server: server)
            let lp = LivePlugins(fallbackFileURL: fallbackURL)
            client.analytics.add(plugin: lp)
            client.analytics.track(name: "Product Viewed", properties: ["product_did": "a"])
            await client.flushed()
            let key = fallbackURL == nil ? "product_did" : "product_id"
            #expect(server.events.map { $0["properties"] } == [[key: "a"]])
            #expect(client.diagnostics.all(.pluginFault).isEmpty)
            await client.ended()
        }
    }

    @Test("A fallback file that cannot be read is reported, and events go on")
    func missingFallback() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("missing.js")
        let client = client("", status: 503, fallback: LivePlugins(fallbackFileURL: file))
        client.analytics.track(name: "A")
        await client.flushed()
        await client.reported(.livePlugins, count: 2)
        #expect(client.server.names == ["A"])
        #expect(client.diagnostics.all(.livePlugins).contains { $0.message.contains("missing.js cannot be read") })
    }

    @Test("The last bundle that worked runs at the next launch without a network")
    func lastGood() async throws {
        let folder = try TemporaryFolder()
        let first = client(stamp(1), folder: folder.url)
        first.analytics.track(name: "A")
        await first.flushed()
        await first.ended()
        let second = client(version: 2, "", status: 503, folder: folder.url)
        second.analytics.track(name: "B")
        await second.flushed()
        #expect(bundles(second) == [1])
        await second.ended()
    }

    @Test("An empty address switches live plugins off")
    func switchedOff() async {
        let client = client(stamp(1))
        client.analytics.track(name: "A")
        await client.flushed()
        client.server.answerSettings(settings(version: 2, url: ""))
        await refresh(client)
        await client.reported(.livePlugins, count: 2)
        client.analytics.track(name: "B")
        await client.flushed()
        #expect(bundles(client) == [1, nil])
    }

    @Test("A version that was stopped for a while runs again with the same number")
    func stoppedForAWhile() async {
        let client = client(stamp(1))
        client.analytics.track(name: "A")
        await client.flushed()
        client.server.answerSettings(settings(version: 1, url: ""))
        await refresh(client)
        await client.reported(.livePlugins, count: 2)
        client.analytics.track(name: "B")
        await client.flushed()
        client.server.answerSettings(settings(version: 1))
        await refresh(client)
        await client.reported(.livePlugins, count: 3)
        client.analytics.track(name: "C")
        await client.flushed()
        #expect(bundles(client) == [1, nil, 1])
    }

    @Test("Scripts track events with their origin and store values")
    func scriptEvents() async {
        let client = client(
            version: 7,
            """
            class Counter extends LivePlugin {
                track(event) {
                    if (event.event !== "A") { return event }
                    const count = (storage.getValue("count") ?? 0) + 1
                    storage.setValue("count", count)
                    analytics.track("Counted", { count: count, by: analytics.userId }, { extra: true })
                    return event
                }
            }
            analytics.add(new Counter(LivePluginType.enrichment, null))
            """)
        client.analytics.identify(userId: "u-1")
        client.analytics.track(name: "A")
        client.analytics.track(name: "A")
        await client.flushed()
        await client.flushed()
        let counted = client.server.events.filter { $0["event"] == "Counted" }
        #expect(counted.map { $0["properties"]?["count"] } == [1, 2])
        #expect(counted.first?["properties"]?["by"] == "u-1")
        #expect(counted.first?["context"]?["__eventOrigin"] == ["type": "js", "version": "7"])
        #expect(counted.first?["context"]?["extra"] == true)
    }

    @Test("An endless loop costs the change of one event and no event")
    func endlessLoop() async {
        let client = client(
            stamp(1) + """

                class Loop extends LivePlugin { track(event) { while (true) {} } }
                analytics.add(new Loop(LivePluginType.enrichment, null))
                """)
        client.analytics.track(name: "A")
        client.analytics.track(name: "B")
        await client.flushed()
        #expect(client.server.names == ["A", "B"])
        #expect(bundles(client) == [1, 1])
        await client.reported(.pluginFault, count: 1)
        #expect(client.diagnostics.all(.pluginFault).map(\.plugin) == ["Loop"])
    }

    @Test("The trace names each script, and marks it as live")
    func trace() async throws {
        let client = client(Self.fix) { $0.inspector(true) }
        client.analytics.track(name: "Product Viewed", properties: ["product_did": "p-1"])
        client.analytics.track(name: "Debug")
        await client.flushed()
        let stages = try #require(client.server.traces.first?["stages"]?.elements)
        let fix = try #require(stages.first { $0["plugin"] == "FixProductViewed" })
        #expect(fix["live"] == true)
        #expect(fix["outcome"] == "changed")
        #expect(fix["changes"]?.elements?.count == 2)
        #expect(client.server.traces.last?["droppedBy"] == ["stage": "before", "plugin": "DropDebug"])
    }
}
