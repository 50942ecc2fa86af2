import Foundation
import TestSupport
import Testing

@testable import Tributary

/// A timer wakes the device, so there is none without need. `scripts/bench --only energy` counts the wake-ups of an hour.
@Suite("Wake-ups")
struct WakeUpTests {
    @Test("When everything was sent, no timer is left in memory, and on disk only the look for other queues")
    func nothingWaits() async throws {
        let folder = try TemporaryFolder()
        for (place, timers) in [(nil, 0), (folder.url, 1)] {
            let client = Client(folder: place) { $0.settingsInterval(0) }
            await client.processed()
            client.time.advance(by: 100)
            for number in 1...5 { client.analytics.track(name: "E\(number)") }
            #expect(await client.flushed() == .sent)
            await client.executed()
            #expect(client.time.scheduledCount == timers)
            #expect(client.time.nextDelay ?? .infinity > Limits.storageCheckInterval)
            await client.ended()
        }
    }

    @Test("While events wait, the files are checked again and again")
    func eventsWait() async throws {
        let folder = try TemporaryFolder()
        let server = TestServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let client = Client(server: server, folder: folder.url)
        client.analytics.track(name: "A")
        await client.processed()
        for _ in 1...3 { client.time.advance(by: Limits.storageCheckInterval) }
        await client.executed()
        try folder.delete("tributary")
        client.time.advance(by: Limits.storageCheckInterval)
        await client.reported(reason: "recovered")
        await client.ended()
    }

    @Test("A delivery by count ends the wait of the interval")
    func deliveryByCount() async {
        let client = Client { $0.flushAt(2).flushInterval(30).settingsInterval(0) }
        let destination = TestDestination("D")
        client.analytics.add(plugin: destination)
        await client.processed()
        for name in ["A", "B"] { client.analytics.track(name: name) }
        await client.server.requests(2)
        await client.processed()
        #expect(destination.flushes == 1)
        client.time.advance(by: 30)
        await client.processed()
        #expect(destination.flushes == 1)
        client.analytics.track(name: "C")
        await client.processed()
        client.time.advance(by: 30)
        await client.server.requests(3)
        await client.processed()
        #expect(destination.flushes == 2)
    }

    @Test("Only for destinations on the device the place in the inbox is stored soon after each event")
    func place() async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url) { $0.flushPolicies([]).settingsInterval(0) }
        await client.processed()
        client.analytics.track(name: "A")
        await client.time.scheduled(in: 60)
        client.analytics.add(plugin: TestDestination("D"))
        client.analytics.track(name: "B")
        await client.time.scheduled(in: 1)
        client.time.advance(by: 1)
        await client.executed()
        #expect(client.analytics.eventQueue.inbox.start == client.analytics.eventQueue.inbox.end)
        await client.ended()
    }

    @Test("A delivery stores the place in the inbox")
    func delivery() async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url) { $0.flushAt(2).flushInterval(0).settingsInterval(0) }
        await client.processed()
        for name in ["A", "B"] { client.analytics.track(name: name) }
        await client.server.requests(2)
        await client.executed()
        #expect(client.analytics.eventQueue.inbox.start == 2)
        await client.ended()
    }
}
