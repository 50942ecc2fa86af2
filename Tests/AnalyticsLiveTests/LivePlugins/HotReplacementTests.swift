import Foundation
import TestSupport
import Testing

@testable import AnalyticsLive
@testable import Tributary

@Suite("Hot replacement")
struct HotReplacementTests {
    /// The number of events, which an environment variable can raise.
    private static let events =
        ProcessInfo.processInfo.environment["TRIBUTARY_REPLACEMENT_EVENTS"].flatMap { Int($0) } ?? 3000
    private static let versions = 10

    /// Marks an event in both places of the timeline.
    private static func script(_ version: Int) -> String {
        """
        class Mark extends LivePlugin {
            constructor(type, name) { super(type); this.name = name }
            track(event) { event.properties[this.name] = \(version); return event }
        }
        analytics.add(new Mark(LivePluginType.before, "first"))
        analytics.add(new Mark(LivePluginType.enrichment, "second"))
        """
    }

    @Test("While versions are deployed, each event is processed by exactly one version, in order, and no event is lost")
    func underLoad() async {
        let client = Deployment.client(Self.script(1)) { configuration in
            configuration.flushAt(2500).storageMode(.memory(Self.events + 1))
        }
        await client.processed()
        await client.reported(text: "version 1 runs")
        let analytics = client.analytics
        let tracking = Task.detached {
            for number in 0..<Self.events { analytics.track(name: "E", properties: ["number": number]) }
        }
        for version in 2...Self.versions {
            await client.deploy(version: version, Self.script(version))
        }
        await tracking.value
        client.analytics.track(name: "Last", properties: ["number": Self.events])
        await client.flushed()
        let properties: [JSON] = client.server.events.map { $0["properties"] ?? .null }
        let numbers: [Int] = properties.compactMap { $0["number"]?.intValue }
        #expect(numbers == Array(0...Self.events))
        let order: [Int] = properties.compactMap { $0["first"]?.intValue }
        let seconds: [Int] = properties.compactMap { $0["second"]?.intValue }
        #expect(order.count == numbers.count)
        #expect(order == seconds)
        #expect(order == order.sorted())
        #expect(order.last == Self.versions)
        await client.ended()
    }

    @Test("Only `storage` outlives a version of the bundle")
    func freshContext() async {
        let counting = """
            let analyticsOfMine = 1
            class Count extends LivePlugin {
                track(event) {
                    this.seen = (this.seen ?? 0) + 1
                    globalThis.all = (globalThis.all ?? 0) + 1
                    storage.setValue("all", (storage.getValue("all") ?? 0) + 1)
                    event.properties = { seen: this.seen, global: all, stored: storage.getValue("all") }
                    return event
                }
            }
            analytics.add(new Count(LivePluginType.enrichment))
            """
        let client = Deployment.client(counting)
        for version in 2...3 {
            client.analytics.track(name: "A")
            await client.flushed()
            await client.deploy(version: version, counting + "\n// \(version)")
        }
        client.analytics.track(name: "A")
        await client.flushed()
        let stored: [Int] = client.server.events.compactMap { $0["properties"]?["stored"]?.intValue }
        #expect(stored == [1, 2, 3])
        let fresh: [Int] = client.server.events.compactMap { $0["properties"]?["global"]?.intValue }
        #expect(fresh == [1, 1, 1])
        await client.ended()
    }

    /// Reports the version at the beginning and at the end of an event's run. The end comes after the destinations.
    private static func witness(_ version: Int) -> String {
        """
        class First extends LivePlugin {
            track(event) { event.properties.first = \(version); return event }
        }
        class Last extends LivePlugin {
            constructor(destination) { super(LivePluginType.after, destination); this.place = destination }
            track(event) {
                if (event.event !== "Done") {
                    analytics.track("Done", {
                        of: event.event, began: event.properties.first, ended: \(version), at: this.place,
                    })
                }
                return event
            }
        }
        analytics.add(new First(LivePluginType.before))
        analytics.add(new Last("Amplitude"))
        analytics.add(new Last(null))
        """
    }

    /// The reports of `Last`: the event, the version at its beginning, the version at its end, and the place.
    private static func ends(_ client: Client) -> [[JSON?]] {
        client.server.events.filter { $0["event"] == "Done" }.map { event in
            ["of", "began", "ended", "at"].map { event["properties"]?[$0] }
        }
    }

    /// The destination has the event, and the client does not wait for destinations.
    private static func track(_ name: String, _ client: Client) async {
        client.analytics.track(name: name, properties: ["of": "the app"])
        client.begin()
        await withCheckedContinuation { done in client.analytics.pipeline.turns.barrier { done.resume() } }
    }

    @Test("The version that began with an event also ends it, even in a slow destination")
    func heldByDestination() async {
        let plugin = LivePlugins(fallbackFileURL: nil)
        let client = Deployment.client(Self.witness(1), plugin: plugin)
        let held = HeldDestination("Amplitude")
        client.analytics.add(plugin: held)
        await Self.track("A", client)
        await held.hasBegun(1)
        await client.deploy(version: 2, Self.witness(2))
        #expect(plugin.retired.map(\.bundle.version) == [1])
        await Self.track("B", client)
        held.open()
        await client.flushed()  // both are done, and what was made of them is tracked
        await client.flushed()
        #expect(
            Self.ends(client) == [
                ["A", 1, 1, "Amplitude"], ["A", 1, 1, .null], ["B", 2, 2, "Amplitude"], ["B", 2, 2, .null],
            ])
        #expect(plugin.retired.isEmpty)
        await client.ended()
    }

    @Test("When many versions wait for destinations, the oldest are closed and a diagnostic reports it")
    func manyHeld() async {
        let plugin = LivePlugins(fallbackFileURL: nil)
        let client = Deployment.client(Self.witness(1), plugin: plugin)
        let held = HeldDestination("Amplitude")
        client.analytics.add(plugin: held)
        await Self.track("E1", client)
        for version in 2...(LivePluginLimits.retiredVersions + 2) {
            await client.deploy(version: version, Self.witness(version))
            await Self.track("E\(version)", client)
        }
        await client.reported(text: "version 1 is ended, although destinations still have events that began with it")
        #expect(plugin.retired.map(\.bundle.version) == [2, 3])
        held.open()
        await client.flushed()
        await client.flushed()
        let ended = Self.ends(client).filter { $0[3] == .null }.map { [$0[1], $0[2]] }
        #expect(ended == [[2, 2], [3, 3], [4, 4]])
        #expect(client.server.names.filter { $0.hasPrefix("E") } == ["E1", "E2", "E3", "E4"])
        #expect(plugin.retired.isEmpty)
        await client.ended()
    }

    @Test("Settings with an older version do not bring it back")
    func neverBack() async {
        let client = Deployment.client(version: 2, Self.script(2))
        await client.processed()
        await client.reported(text: "version 2 runs")
        await client.deploy(version: 1, Self.script(1), until: "is older than the running one")
        client.analytics.track(name: "A", properties: ["number": 1])
        await client.flushed()
        #expect(client.server.events.first?["properties"]?["first"] == 2)
        await client.ended()
    }
}

@Suite("Other sources of scripts")
struct OtherSourcesTests {
    @Test("Events of `new Analytics(key)` go to that source, with an identity of its own")
    func events() async throws {
        let client = Deployment.client(
            """
            const other = new Analytics("OTHER")
            class Copy extends LivePlugin {
                track(event) {
                    new Analytics("OTHER").track("Copy of " + event.event, { id: event.properties.id })
                    event.properties.same = other.anonymousId === analytics.anonymousId
                    return event
                }
                flush() { other.flush() }
            }
            analytics.add(new Copy(LivePluginType.enrichment))
            """)
        client.analytics.identify(userId: "u-1")
        client.analytics.track(name: "A", properties: ["id": 9_007_199_254_740_993])
        await client.flushed()
        client.time.advance(by: 0.1)
        await client.server.confirmed(3)
        let batches = try client.server.batches.map { try JSON.parse($0.body ?? []) }
        let others = batches.filter { $0["writeKey"] == "OTHER" }.flatMap { $0["batch"]?.elements ?? [] }
        #expect(others.map { $0["event"] } == ["Copy of A"])
        #expect(others.first?["properties"] == ["id": 9_007_199_254_740_993])
        #expect(others.first?["userId"] == nil)
        #expect(client.server.events.first { $0["event"] == "A" }?["properties"]?["same"] == false)
        await client.ended()
    }

    @Test("The number of clients that scripts can make is bounded")
    func bounded() async {
        let client = Deployment.client("for (let i = 0; ; i++) new Analytics('OTHER' + i)")
        client.analytics.track(name: "A")
        await client.flushed()
        await client.reported(text: "scripts already have 5 sources besides the app's own, which is the limit")
        #expect(client.server.names == ["A"])
        await client.ended()
    }
}
