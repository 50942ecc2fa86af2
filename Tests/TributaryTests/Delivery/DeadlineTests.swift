import Foundation
import TestSupport
import Testing

@testable import Tributary

@Suite("A transport that misses its deadline")
struct DeadlineTests {
    private let server = TestServer()

    @Test("A request without an answer ends by the client's clock, and a late answer is ignored")
    func neverAnswers() async {
        let transport = HeldTransport(server)
        let client = Client(server: server) { $0.transport(transport) }
        client.analytics.track(name: "A")
        await client.processed()
        client.analytics.flush()
        await transport.batches(1)
        #expect(client.analytics.deliveryState.activity == .sending)
        #expect(client.analytics.deliveryState.obstacle == nil)
        client.time.advance(by: 17)
        await client.reported(.delivery, count: 1)
        #expect(client.analytics.deliveryState.obstacle?.text.contains("no answer within 15 s") == true)
        #expect(client.analytics.deliveryState.failures == 1)
        transport.answer(0, 200)
        client.time.advance(by: 5)
        await transport.batches(2)
        #expect(client.analytics.counters.uploaded == 0)
        transport.answer(1, 200)
        transport.answer(1, 500)
        transport.answer(0, 500)
        #expect(await client.analytics.flush(timeout: 100) == .sent)
        #expect(client.analytics.counters.uploaded == 1)
        #expect(client.analytics.deliveryState.failures == 0)
        #expect(client.analytics.deliveryState.activity == .idle)
    }

    @Test("A request for settings without an answer does not prevent the next one", .timeLimit(.minutes(30)))
    func silentSettings() async {
        server.silenceSettings()
        let client = Client(server: server) { $0.settingsInterval(100) }
        // Waits for the timer of the next look at settings, which is set last, so that all earlier timers are set by
        // then.
        await client.time.scheduled(in: 100)
        client.time.advance(by: 20)  // the settings that are there apply, and the request is given up
        await client.reported(.settings, count: 2)
        client.time.advance(by: 80)
        await server.requests(2)
    }

    @Test("An answer that comes after the end of its client does no harm", .timeLimit(.minutes(30)))
    func clientReleased() async {
        let transport = HeldTransport(server)
        weak var released: Analytics?
        do {
            let client = Client(server: server) { $0.transport(transport) }
            released = client.analytics
            client.analytics.track(name: "A")
            await client.processed()
            client.analytics.flush()
            await transport.batches(1)
            await client.ended()
        }
        transport.answer(0, 200)
        transport.answer(0, 503)
        // A thread that ends the client may still hold it for a moment.
        while released != nil { await Task.yield() }
    }

    @Test("A batch that is answered after the end of its client is sent again by the next one")
    func answeredAfterEnd() async throws {
        let folder = try TemporaryFolder()
        let transport = HeldTransport(server)
        let first = Client(server: server, folder: folder.url) { $0.transport(transport) }
        first.analytics.track(name: "A")
        await first.processed()
        first.analytics.flush()
        await transport.batches(1)
        await first.ended()
        transport.answer(0, 200)
        let second = Client(folder: folder.url)
        await second.attempted()
        second.time.advance(by: 60)  // a launch whose first request was cut off makes the next one wait
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == ["A"])
        await second.ended()
    }
}
