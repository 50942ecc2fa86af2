import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Delivery to a server")
struct UploaderTests {
    @Test("The body has the protocol's form with the key and the time of sending")
    func body() async throws {
        let client = Client()
        client.analytics.track(name: "Signed Up", properties: ["plan": "pro"])
        #expect(await client.flushed() == .sent)
        let request = try #require(client.server.batches.first)
        #expect(request.url.absoluteString == "http://server.test/v1/b")
        #expect(request.headers["Authorization"] == "Basic S0VZOg==")
        #expect(request.headers["X-Retry-Count"] == "0")
        let body = try JSON.parse(#require(request.body))
        #expect(body["writeKey"] == "KEY")
        #expect(body["sentAt"]?.stringValue == request.headers["X-Sent-At"])
        #expect(body["batch"]?[0]?["event"] == "Signed Up")
    }

    @Test("A body is compressed by default, and sent plain after a server refused compression")
    func compression() async throws {
        let client = Client { $0.gzip(true) }
        client.server.answerNext(415)
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        client.analytics.track(name: "B")
        #expect(await client.flushed() == .sent)
        let batches = client.server.batches
        #expect(batches.map { $0.headers["Content-Encoding"] } == ["gzip", nil, nil])
        #expect(try #require(batches.first?.body).prefix(3) == [0x1F, 0x8B, 8])
        #expect(client.server.names == ["A", "B"])
    }

    @Test("flushAt events start a delivery")
    func count() async {
        let client = Client { $0.flushAt(20) }
        await client.processed()
        for number in 1...20 { client.analytics.track(name: "E\(number)") }
        await client.server.requests(2)  // settings and one batch
        await client.flushed()
        #expect(client.server.names == (1...20).map { "E\($0)" })
    }

    @Test("The flush interval starts a delivery")
    func interval() async {
        let client = Client { $0.flushInterval(30) }
        await client.flushed()
        client.analytics.track(name: "A")
        await client.processed()
        #expect(client.server.batches.isEmpty)
        client.time.advance(by: 30)
        await client.server.requests(2)
        await client.flushed()
        #expect(client.server.names == ["A"])
    }

    @Test("A failing server is tried again later, in order, and no event is lost")
    func failures() async throws {
        let client = Client()
        client.server.answerNext(500, 429)
        client.server.answerNext(.failure(TransportError("connection reset")))
        client.analytics.track(name: "A")
        client.analytics.track(name: "B")
        let flushed = Task { await client.flushed() }
        for attempt in 1...3 {
            await client.reported(.delivery, count: attempt)
            #expect(client.analytics.deliveryState.obstacle?.kind == .failure)
            client.time.advance(by: 10)
        }
        #expect(await flushed.value == .sent)
        #expect(client.server.names == ["A", "B"])
        #expect(client.server.batches.map { $0.headers["X-Retry-Count"] } == ["0", "1", "2", "3"])
    }

    @Test("One bad event among many becomes a dead letter, and the others arrive in order")
    func poison() async throws {
        let client = Client()
        client.server.answerBatches { events in
            events.contains { $0["event"] == "Bad" } ? .success(TransportResponse(status: 400)) : nil
        }
        for number in 1...30 { client.analytics.track(name: number == 17 ? "Bad" : "E\(number)") }
        #expect(await client.flushed() == .dropped(reasons: ["dead_lettered": 1]))
        #expect(client.server.names == (1...30).filter { $0 != 17 }.map { "E\($0)" })
        #expect(client.analytics.counters.deadLettered == 1)
        let letter = try #require(client.analytics.deadLetters.read(maxCount: 10).first)
        let json = try JSON.parse(letter)
        #expect(json["event"]?["event"] == "Bad")
        #expect(json["reason"]?.stringValue?.contains("400") == true)
    }

    @Test("An event beyond the protocol's size is dropped and reported, and the others arrive")
    func tooLarge() async {
        let client = Client()
        client.analytics.track(name: "Huge", properties: ["text": String(repeating: "x", count: 40_000)])
        client.analytics.track(name: "Small")
        #expect(await client.flushed() == .dropped(reasons: ["too_large": 1]))
        #expect(client.server.names == ["Small"])
        #expect(client.analytics.counters.lost == ["too_large": 1])
    }

    @Test("A flush whose time is over returns what waits and why")
    func timeout() async throws {
        let client = Client()
        // The client does not try again before the pause is over.
        client.server.answerBatches { _ in
            .success(TransportResponse(status: 503, headers: ["retry-after": "60"]))
        }
        client.analytics.track(name: "A")
        client.begin()
        let flush = Task { await client.analytics.flush(timeout: 5) }
        await client.reported(.delivery, count: 1)
        client.time.advance(by: 5)
        guard case .timedOut(let remaining, let reason) = await flush.value else {
            Issue.record("the flush did not time out")
            return
        }
        #expect(remaining == 1)
        #expect(reason.contains("503"))
        #expect(client.analytics.hasUnsentEvents)
    }

    @Test("Events go to the host in the settings unless the app named a host")
    func hostInSettings() async {
        let server = TestServer()
        server.answerSettings(["integrations": ["Segment.io": ["apiHost": "http://elsewhere.test/v1"]]])
        let configuration = Configuration(writeKey: "KEY").cdnHost("http://server.test/v1").transport(server)
            .timeSource(SystemTimeSource()).gzip(false).storageMode(.memory(100))
        let analytics = Analytics(configuration: configuration)
        analytics.track(name: "A")
        _ = await analytics.flush(timeout: 3600)
        #expect(server.batches.map(\.url.host) == ["elsewhere.test"])
    }
}
