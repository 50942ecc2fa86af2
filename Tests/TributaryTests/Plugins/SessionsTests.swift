import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Sessions")
struct SessionsTests {
    /// The sessions of the events that reached the server, as index and whether the event is the first.
    private func sent(_ client: Client) async -> [String] {
        await client.flushed()
        return client.server.events.map { event in
            let session = event["context"]?["session"]
            return (session?["index"]?.description ?? "none") + (session?["isFirst"] == true ? "!" : "")
        }
    }

    @Test("A pause longer than the timeout begins another session")
    func timeout() async {
        let client = Client()
        let sessions = Sessions(timeout: 60)
        client.analytics.add(plugin: sessions)
        for pause in [0.0, 59, 60, 61, 1] {
            client.time.advance(by: pause)
            client.analytics.track(name: "A")
        }
        #expect(await sent(client) == ["1!", "1", "1", "2!", "2"])
        let ids = client.server.events.map { $0["context"]?["session"]?["id"]?.stringValue }
        #expect(Set(ids).count == 2)
        #expect(sessions.current?.id == ids.last)
        let started = client.server.events.last?["context"]?["session"]?["startedAt"]
        #expect(started == client.server.events[3]["timestamp"])
        await client.ended()
    }

    @Test("An app that starts again within the timeout continues its session, else it begins a new one")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let time = ManualTime()
        var ids: [String?] = []
        for (pause, expected) in [(0.0, "1!"), (30, "1"), (600, "2!")] {
            time.advance(by: pause)
            let client = Client(time: time, folder: folder.url)
            client.analytics.add(plugin: Sessions(timeout: 60))
            client.analytics.track(name: "A")
            #expect(await sent(client) == [expected])
            ids.append(client.server.events.first?["context"]?["session"]?["id"]?.stringValue)
            await client.ended()
        }
        #expect(ids[0] == ids[1])
        #expect(ids[1] != ids[2])
    }

    @Test("An app can begin and end sessions")
    func manual() async {
        let client = Client()
        let sessions = Sessions(manual: true)
        client.analytics.add(plugin: sessions)
        client.analytics.track(name: "A")
        #expect(await sent(client) == ["none"])
        sessions.start()
        client.analytics.track(name: "A")
        client.time.advance(by: 100_000)
        client.analytics.track(name: "A")
        #expect(await sent(client) == ["none", "1!", "1"])
        sessions.end()
        #expect(sessions.current == nil)
        client.analytics.track(name: "A")
        sessions.end()
        #expect(await sent(client) == ["none", "1!", "1", "none"])
        await client.ended()
    }

    @Test("The next process does not continue an ended session")
    func ended() async throws {
        let folder = try TemporaryFolder()
        for index in 1...2 {
            let client = Client(folder: folder.url)
            let sessions = Sessions()
            client.analytics.add(plugin: sessions)
            client.analytics.track(name: "A")
            #expect(await sent(client) == ["\(index)!"])
            sessions.end()
            await client.ended()
        }
    }

    @Test("A clock that is set back begins a new session")
    func clock() {
        let sessions = Sessions(timeout: 60)
        func index(_ timestamp: String) -> Int? {
            var event = TrackEvent(event: "A", properties: nil)
            event.timestamp = timestamp
            return sessions.execute(event: Optional(event))?.context?["session"]?["index"]?.intValue
        }
        #expect(index("2026-01-02T00:00:00.000Z") == 1)
        #expect(index("2026-01-01T00:00:00.000Z") == 2)
        #expect(index("2026-01-01T00:00:59.000Z") == 2)
        #expect(index("2026-01-01T00:02:00.000Z") == 3)
    }

    @Test(
        "An event with another time belongs to the session in which it was tracked, and neither begins nor prolongs one"
    )
    func backdated() async {
        let client = Client()
        client.analytics.add(plugin: Sessions(timeout: 60))
        let yesterday = EventOptions(timestamp: Date(timeIntervalSince1970: 1_000_000_000))
        let none = nil as [String: Any]?
        client.analytics.process(event: recorded)
        client.analytics.track(name: "A")
        client.analytics.track(name: "B", properties: none, options: yesterday)
        client.analytics.track(name: "C")
        client.time.advance(by: 50)
        client.analytics.process(event: recorded)
        client.time.advance(by: 20)
        client.analytics.track(name: "D", properties: none, options: yesterday)
        client.analytics.track(name: "E")
        #expect(await sent(client) == ["none", "1!", "1", "1", "1", "none", "2!"])
        await client.ended()
    }

    private var recorded: TrackEvent {
        var event = TrackEvent(event: "Recorded", properties: nil)
        event.timestamp = "2001-09-09T01:46:40.000Z"
        event.anonymousId = "a"
        return event
    }

    @Test("Events that have a session, or come from another library, stay unchanged")
    func foreign() {
        let sessions = Sessions()
        let contexts: [JSON] = [["session": ["id": "own"]], ["library": ["name": "analytics-swift"]]]
        for context in contexts {
            var event = TrackEvent(event: "A", properties: nil)
            event.context = context
            #expect(sessions.execute(event: Optional(event))?.context == context)
        }
        #expect(sessions.current == nil)
    }

    @Test(
        "A damaged file is reported, and sessions start over",
        arguments: ["", "[]", #"{"id":"x","index":0}"#, #"{"id":"x","index":1,"startedAt":9e18,"lastEventAt":0}"#])
    func damaged(text: String) async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url)
        let file = try #require(client.analytics.storageFolder).appendingPathComponent("session.json")
        try Data(text.utf8).write(to: file)
        client.analytics.add(plugin: Sessions())
        client.analytics.track(name: "A")
        #expect(await sent(client) == ["1!"])
        await client.reported(.storage, count: 1)
        await client.ended()
    }
}
