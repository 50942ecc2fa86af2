import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Flush policies")
struct FlushPolicyTests {
    @Test("A count policy of 20 delivers at 20 events, not before, and all in one batch")
    func count() async throws {
        let client = Client()
        await client.processed()
        for round in 1...3 {
            for number in 1...19 { client.analytics.track(name: "\(round)-\(number)") }
            await client.processed()
            #expect(client.server.batches.count == round - 1)
            client.analytics.track(name: "\(round)-20")
            await client.server.requests(1 + round)
            let body = try JSON.parse(#require(client.server.batches.last?.body))
            #expect(body["batch"]?.elements?.count == 20)
        }
    }

    @Test("The count and the interval that were set last hold for all policies of their kind")
    func named() async {
        let client = Client { $0.flushAt(7).flushInterval(3) }
        #expect(client.analytics.flushAt == 7 && client.analytics.flushInterval == 3)
        client.analytics.add(flushPolicy: CountBasedFlushPolicy(count: 23))
        client.analytics.add(flushPolicy: IntervalBasedFlushPolicy(interval: 90))
        #expect(client.analytics.flushAt == 23 && client.analytics.flushInterval == 90)
        let unnamed = CountBasedFlushPolicy()
        client.analytics.add(flushPolicy: unnamed)
        #expect(unnamed.desiredCount == 23 && client.analytics.flushAt == 23)
        await client.processed()
        for number in 0..<22 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        #expect(client.server.batches.isEmpty)
        client.analytics.track(name: "E22")
        await client.server.requests(2)
        client.analytics.flushAt = 1
        #expect(client.analytics.flushAt == 1)
        client.analytics.track(name: "E23")
        await client.server.requests(3)
    }

    @Test("A policy without a number has the number of the configuration")
    func unnamed() {
        let client = Client {
            $0.flushAt(7).flushInterval(3).flushPolicies([CountBasedFlushPolicy(), IntervalBasedFlushPolicy()])
        }
        #expect(client.analytics.flushAt == 7 && client.analytics.flushInterval == 3)
    }

    @Test("A backlog leaves in batches up to the protocol's limits, in order")
    func backlog() async throws {
        let server = TestServer()
        server.silenceSettings()
        let client = Client(server: server)
        for number in 1...3000 { client.analytics.track(name: "E\(number)") }
        await client.time.scheduled(in: 10)
        client.time.advance(by: 10)
        #expect(await client.flushed() == .sent)
        #expect(server.names == (1...3000).map { "E\($0)" })
        let sizes = try server.batches.map { try JSON.parse($0.body ?? [])["batch"]?.elements?.count ?? 0 }
        #expect(sizes.max() ?? 0 <= 2500)
        #expect(server.batches.allSatisfy { ($0.body?.count ?? 0) <= 500_000 })
        // Each turn of the pipeline may start a delivery. Events that come during a delivery go out together.
        #expect(sizes.count < 3000 / 20)
    }

    @Test("An interval policy delivers when its interval has passed since the first event, and not without events")
    func interval() async {
        let client = Client { $0.flushInterval(30).settingsInterval(0) }
        let destination = TestDestination("D")
        client.analytics.add(plugin: destination)
        await client.processed()
        client.time.advance(by: 1000)
        await client.processed()
        #expect(destination.flushes == 0)
        client.analytics.track(name: "A")
        await client.processed()
        client.time.advance(by: 29)
        await client.processed()
        #expect(client.server.batches.isEmpty)
        client.time.advance(by: 1)
        await client.server.requests(2)
        await client.processed()
        #expect(client.server.names == ["A"])
        #expect(destination.flushes == 1)
    }

    @Test("An app's own policy sees each event and decides, and its state is reset after each delivery")
    func custom() async {
        let policy = NamedPolicy("Order Completed")
        let client = Client { $0.flushPolicies([policy]).settingsInterval(0) }
        #expect(policy.analytics === client.analytics)
        for number in 1...50 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        client.time.advance(by: 1000)
        await client.processed()
        #expect(client.server.batches.isEmpty)
        client.analytics.track(name: "Order Completed")
        await client.server.requests(2)
        #expect(client.server.names.count == 51)
        #expect(client.server.names.last == "Order Completed")
        await policy.wasReset()
    }

    @Test("A flush policy that hangs delays neither calls nor delivery, and is reported once")
    func hanging() async {
        let policy = HangingPolicy()
        let client = Client()
        client.analytics.add(flushPolicy: policy)
        for number in 1...4500 { client.analytics.track(name: "E\(number)") }
        #expect(await client.flushed() == .sent)
        #expect(client.server.names.count == 4500)
        await client.reported(.pluginFault, count: 1)
        #expect(client.diagnostics.all(.pluginFault).map(\.reason) == [.slowPolicy])
        policy.release()
    }

    @Test("Flush policies can be found, changed and removed")
    func changes() async {
        let client = Client { $0.flushAt(7).flushInterval(11).settingsInterval(0) }
        let analytics = client.analytics
        #expect(analytics.flushAt == 7)
        #expect(analytics.flushInterval == 11)
        #expect(analytics.flushPolicies.count == 2)
        analytics.flushAt = 3
        await client.processed()
        for number in 1...3 { analytics.track(name: "E\(number)") }
        await client.server.requests(2)
        analytics.remove(flushPolicy: CountBasedFlushPolicy.self)
        #expect(analytics.flushAt == 0)
        #expect(analytics.find(flushPolicy: CountBasedFlushPolicy.self) == nil)
        let policy = NamedPolicy("Buy")
        analytics.add(flushPolicy: policy)
        analytics.add(flushPolicy: policy)
        #expect(analytics.find(flushPolicy: NamedPolicy.self) === policy)
        #expect(analytics.flushPolicies.count == 2)
        analytics.remove(flushPolicy: policy)
        analytics.removeAllFlushPolicies()
        #expect(analytics.flushPolicies.isEmpty)
        for number in 4...100 { analytics.track(name: "E\(number)") }
        analytics.track(name: "Buy")
        await client.processed()
        client.time.advance(by: 1000)
        await client.processed()
        #expect(client.server.batches.count == 1)
        analytics.flushAt = 5
        analytics.flushInterval = 5
        for number in 1...5 { analytics.track(name: "F\(number)") }
        await client.server.requests(3)
        #expect(client.server.names.count == 106)
    }

    @Test("A changed interval starts over, and a removed one ends")
    func changedInterval() async {
        let client = Client { $0.flushInterval(30).settingsInterval(0) }
        client.analytics.track(name: "A")
        await client.processed()
        client.analytics.flushInterval = 5
        client.time.advance(by: 5)
        await client.server.requests(2)
        client.analytics.track(name: "B")
        await client.processed()
        client.analytics.remove(flushPolicy: IntervalBasedFlushPolicy.self)
        client.time.advance(by: 1000)
        await client.processed()
        #expect(client.server.names == ["A"])
    }

    @Test("Without the cloud destination, policies still flush the other destinations")
    func noCloudDestination() async {
        let client = Client { $0.autoAddSegmentDestination(false) }
        let destination = TestDestination("D")
        client.analytics.add(plugin: destination)
        client.analytics.manuallyEnableDestination(plugin: destination)
        for number in 1...20 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        await client.processed()
        #expect(destination.received.count == 20)
        #expect(destination.flushes >= 1)
        #expect(client.server.batches.isEmpty)
    }

    @Test("The documents' policies answer as documented")
    func calls() throws {
        let event = TrackEvent(event: "A", properties: nil)
        let count = CountBasedFlushPolicy(count: 2)
        #expect(!count.shouldFlush())
        count.updateState(event: event)
        #expect(!count.shouldFlush())
        count.updateState(event: event)
        #expect(count.shouldFlush())
        count.reset()
        #expect(!count.shouldFlush())
        #expect(CountBasedFlushPolicy(count: -1).desiredCount == 1)
        #expect(!IntervalBasedFlushPolicy(interval: 0).shouldFlush())
    }
}

/// A policy that delivers when an event with a certain name comes.
private final class NamedPolicy: FlushPolicy {
    weak var analytics: Analytics?
    private let name: String
    private var hasCome = false
    private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

    init(_ name: String) { self.name = name }

    func shouldFlush() -> Bool { hasCome }
    func updateState(event: any RawEvent) { hasCome = hasCome || (event as? TrackEvent)?.event == name }
    func reset() {
        hasCome = false
        continuation.yield()
    }
    nonisolated(nonsending) func wasReset() async { for await _ in stream { return } }
}

/// A policy that does not return from its first event until the test releases it.
private final class HangingPolicy: FlushPolicy {
    weak var analytics: Analytics?
    private let gate = DispatchSemaphore(value: 0)

    func shouldFlush() -> Bool { false }
    func updateState(event: any RawEvent) {
        gate.wait()
        gate.signal()
    }
    func reset() {}
    func release() { gate.signal() }
}
