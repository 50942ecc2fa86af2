import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Traces that a server orders", .timeLimit(.minutes(30))) struct OrderedTraceTests {
    private static let order: JSON = ["success": true, "trace": [["userId": "u-1", "seconds": 900]]]

    /// A client of the user u-1 whose server has answered one batch.
    private func client(
        _ answer: JSON = Self.order, configure: (Configuration) -> Void = { _ in }
    ) async -> Client {
        let client = Client(configure: configure)
        client.analytics.add(
            plugin: Recorder(.enrichment, name: "Fix") { event in
                guard var track = event as? TrackEvent else { return event }
                track.properties?["mail"] = nil
                return track
            })
        client.server.answerBatches { _ in .success(TransportResponse(status: 200, body: answer.encoded())) }
        client.analytics.identify(userId: "u-1")
        await client.flushed()
        #expect(client.server.traces.isEmpty)
        return client
    }

    private func track(_ client: Client, _ name: String = "Viewed", times: Int = 1) async {
        for _ in 0..<times { client.analytics.track(name: name, properties: ["mail": "a@b.example"]) }
        await client.flushed()
    }

    @Test("An ordered trace names what plugins changed, and has no values")
    func names() async throws {
        let client = await client()
        await track(client)
        let trace = try #require(client.server.traces.first)
        #expect(client.server.traces.count == 1)
        #expect(trace["event"] == "Viewed")
        #expect(trace["userId"] == "u-1")
        #expect(trace["outcome"] == "sent")
        let fix = trace["stages"]?.elements?.first { $0["plugin"] == "Fix" }
        #expect(fix?["changes"] == [["path": "properties.mail", "before": "…"]])
        #expect(!trace.description.contains("a@b.example"))
    }

    @Test("An order by anonymous id holds for the events of that device")
    func anonymous() async {
        let server = TestServer()
        let client = Client(server: server)
        let order: JSON = ["trace": [["anonymousId": .string(client.analytics.anonymousId), "seconds": 60]]]
        server.answerBatches { _ in .success(TransportResponse(status: 200, body: order.encoded())) }
        await track(client)
        await track(client)
        #expect(server.traces.count == 1)
    }

    @Test("Events of another user are not traced")
    func others() async {
        let client = await client()
        client.analytics.identify(userId: "u-2")
        await track(client)
        #expect(client.server.traces.isEmpty)
    }

    @Test("An order ends with its time, and with the first answer that does not repeat it")
    func end() async {
        let timed = await client()
        timed.server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        timed.time.advance(by: 899)
        timed.analytics.track(name: "Viewed")
        await timed.attempted()
        timed.time.advance(by: 1)
        timed.analytics.track(name: "Viewed")
        await timed.attempted()
        #expect(timed.server.traces.count == 1)
        let withdrawn = await client()
        withdrawn.server.answerBatches(nil)
        await track(withdrawn)
        await track(withdrawn)
        #expect(withdrawn.server.traces.count == 1)
    }

    @Test("An app can refuse orders")
    func off() async {
        let client = await client { $0.remoteTracing(false) }
        await track(client)
        #expect(client.server.traces.isEmpty)
    }

    @Test("After the user refuses, nothing is traced, also when consent is given again")
    func refusal() async {
        let client = await client()
        client.server.answerBatches(nil)
        for state in [ConsentState.denied, .granted] {
            await withCheckedContinuation { done in client.analytics.setConsent(state) { done.resume() } }
        }
        client.analytics.identify(userId: "u-1")
        await track(client)
        #expect(client.server.traces.isEmpty)
    }

    @Test("An app that tracks much sends a hundred traces in a minute, and says how many are missing")
    func rate() async {
        let client = await client()
        await track(client, times: 120)
        #expect(client.server.traces.count == TraceAllowance.traces)
        await client.reported(text: "traces of 20 events were not kept")
        client.time.advance(by: 60)
        await track(client)
        #expect(client.server.traces.count == TraceAllowance.traces + 1)
    }
}
