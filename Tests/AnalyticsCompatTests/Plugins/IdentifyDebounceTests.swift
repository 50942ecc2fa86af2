import Foundation
import TestSupport
import Testing

@testable import AnalyticsCompat

@Suite("Identify debounce")
struct IdentifyDebounceTests {
    /// The two places of debounce: middleware and a plugin.
    enum Place: CaseIterable, Sendable {
        case middleware
        case plugin
    }

    private func client(
        _ place: Place, folder: URL? = nil, _ debounce: IdentifyDebounce = IdentifyDebounce()
    ) -> CompatClient {
        let client = CompatClient(folder: folder) { config in
            if place == .middleware { config.sourceMiddleware = [debounce] }
        }
        if place == .plugin { client.analytics.add(plugin: debounce) }
        return client
    }

    /// Which of the identify events reached Braze.
    private func isNews(_ client: CompatClient) -> [Bool] {
        client.server.events.filter { $0["type"] == "identify" }.map { event in
            #expect(event["integrations"]?["Appboy"] == event["integrations"]?["Braze"])
            return event["integrations"]?["Braze"] != false
        }
    }

    @Test(
        "A repeated identify event does not reach the destination, and another user, id or trait counts as new",
        arguments: Place.allCases)
    func repetitions(place: Place) async {
        let client = client(place)
        let analytics = client.analytics
        analytics.identify("u", traits: ["a": 1, "b": ["c": 1, "d": 2]])
        analytics.identify("u", traits: ["b": ["d": 2, "c": 1]])
        analytics.track("between")
        analytics.identify("u")
        analytics.identify("u", traits: ["a": 2])
        analytics.identify("v")
        analytics.identify("v", options: ["anonymousId": "other"])
        analytics.identify("v")
        await client.flushed()
        #expect(isNews(client) == [true, false, false, true, true, true, false])
        #expect(client.server.events.allSatisfy { $0["messageId"]?.stringValue?.isEmpty == false })
        #expect(Set(client.server.events.compactMap { $0["messageId"]?.stringValue }).count == 8)
    }

    @Test("An identify event without traits differs from one with empty traits, and an event's integrations stay")
    func emptyTraits() async {
        let client = client(.plugin)
        client.analytics.process(event: IdentifyEvent(userId: "u"))
        client.analytics.process(event: IdentifyEvent(userId: "u", traits: [:]))
        var repeated = IdentifyEvent(userId: "u", traits: [:])
        repeated.integrations = ["X": true]
        client.analytics.process(event: repeated)
        await client.flushed()
        #expect(isNews(client) == [true, true, false])
        #expect(client.server.events[2]["integrations"] == ["X": true, "Appboy": false, "Braze": false])
    }

    @Test("After a reset every identify event counts as new", arguments: Place.allCases)
    func reset(place: Place) async {
        let client = client(place)
        let fixed: [String: Any] = ["anonymousId": "same"]
        client.analytics.identify("u", options: fixed)
        client.analytics.identify("u", options: fixed)
        client.analytics.reset()
        client.analytics.identify("u", options: fixed)
        await client.flushed()
        #expect(isNews(client) == [true, false, true])
    }

    @Test("After the interval a repetition counts as new", arguments: Place.allCases)
    func interval(place: Place) async {
        let client = client(place, IdentifyDebounce(minimumInterval: 60))
        client.analytics.identify("u")
        client.analytics.identify("u")
        await client.processed()
        client.time.advance(by: 60)
        client.analytics.identify("u")
        client.analytics.identify("u")
        await client.flushed()
        #expect(isNews(client) == [true, false, true, false])
    }

    @Test("Debounce can drop repetitions for all destinations", arguments: Place.allCases)
    func dropping(place: Place) async {
        let client = client(place, IdentifyDebounce(mode: .dropEvent))
        for _ in 0..<3 { client.analytics.identify("u") }
        await client.flushed()
        #expect(client.server.events.count == 1)
        #expect(client.drops(by: "IdentifyDebounce") == 2)
    }

    @Test("Debounce in a destination's timeline drops repetitions for that destination", arguments: [true])
    func destination(drops: Bool) async {
        let client = CompatClient(["integrations": ["A": [:]]])
        let destination = TestDestination("A")
        destination.add(plugin: IdentifyDebounce(mode: .dropEvent))
        client.analytics.add(plugin: destination)
        for _ in 0..<2 { client.analytics.identify("u") }
        await client.flushed()
        #expect(destination.received.count == 1)
        #expect(client.server.events.count == 2)
    }

    @Test("Debounce can remember across launches until a reset; a damaged file is reported and replaced")
    func launches() async throws {
        let folder = try TemporaryFolder()
        let told = LockBox(0)
        func news(_ act: (Analytics) -> Void = { _ in }) async -> [Bool] {
            let client = client(.middleware, folder: folder.url, IdentifyDebounce(remembersAcrossLaunches: true))
            defer {
                let count = client.diagnostics.all(.storage).filter { $0.plugin == "IdentifyDebounce" }.count
                told.withLock { $0 += count }
            }
            act(client.analytics)
            client.analytics.identify("u", options: ["anonymousId": "same"])
            await client.flushed()
            await client.ended()
            return isNews(client)
        }
        #expect(await news() == [true])
        #expect(await news() == [false])
        #expect(await news { $0.reset() } == [true])
        #expect(await news() == [false])
        let file = folder.url.appendingPathComponent("tributary/KEY/identify-debounce.json")
        let files = FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)
        let kept = try #require(
            files?.compactMap { $0 as? URL }.first { $0.lastPathComponent == file.lastPathComponent })
        #expect(told.withLock { $0 } == 0)
        for (number, damaged) in ["{", "", #"{"hash":1}"#].enumerated() {
            try Data(damaged.utf8).write(to: kept)
            #expect(await news() == [true])
            #expect(told.withLock { $0 } == number + 1)
            #expect(await news() == [false])
        }
    }

    @Test("What Debounce remembers is written again when the folder was deleted, and not after a reset")
    func deletedFolder() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("tributary/KEY/identify-debounce.json").path
        let client = client(.middleware, folder: folder.url, IdentifyDebounce(remembersAcrossLaunches: true))
        client.analytics.identify("u")
        await client.flushed()
        #expect(FileManager.default.fileExists(atPath: path))
        try folder.delete("tributary")
        // A flush looks at the files.
        await client.flushed()
        #expect(FileManager.default.fileExists(atPath: path))
        client.analytics.reset()
        await client.flushed()
        try folder.delete("tributary")
        await client.flushed()
        #expect(!FileManager.default.fileExists(atPath: path))
        await client.ended()
    }

    @Test("Debounce uses the destinations' own names")
    func ownDestinations() async {
        let client = client(.middleware, IdentifyDebounce(destinations: ["Mine"]))
        for _ in 0..<2 { client.analytics.identify("u") }
        await client.flushed()
        #expect(client.server.events[1]["integrations"] == ["Mine": false])
    }
}
