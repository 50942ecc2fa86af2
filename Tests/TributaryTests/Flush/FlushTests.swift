import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Flushes")
struct FlushTests {
    @Test("Before settings are known a flush waits, starts nothing early, and then covers the events before it")
    func beforeSettings() async {
        let server = TestServer()
        server.silenceSettings()
        let client = Client(server: server)
        client.analytics.track(name: "A")
        await client.time.scheduled(in: 10)
        client.begin()
        let flush = Task { await client.analytics.flush(timeout: 100) }
        let called = AsyncStream.makeStream(of: Void.self)
        client.analytics.flush { called.continuation.yield() }
        await client.time.scheduled(in: 100)
        #expect(server.batches.isEmpty)
        #expect(client.analytics.deliveryState.activity == .waiting)
        client.time.advance(by: 10)
        for await _ in called.stream { break }
        #expect(await flush.value == .sent)
        #expect(server.names == ["A"])
    }

    @Test("A flush before settings returns the reason for its wait when its time is over")
    func timedOutBeforeSettings() async {
        let server = TestServer()
        server.silenceSettings()
        let client = Client(server: server) { $0.settingsTimeout(1000) }
        client.analytics.track(name: "A")
        let flush = Task { await client.analytics.flush(timeout: 5) }
        await client.time.scheduled(in: 5)
        client.time.advance(by: 5)
        guard case .timedOut(let remaining, let reason) = await flush.value else {
            Issue.record("it did not time out")
            return
        }
        #expect(remaining == 1)
        #expect(reason.contains("settings"))
    }

    @Test("A flush that a slow plugin holds up names the plugin")
    func slowPlugin() async {
        let client = Client()
        let (start, hold) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        let slow = Recorder(name: "Slow") { event in
            start.continuation.yield()
            hold.wait()
            return event
        }
        client.analytics.add(plugin: slow)
        client.analytics.track(name: "A")
        client.begin()
        for await _ in start.stream { break }
        let flush = Task { await client.analytics.flush(timeout: 5) }
        await client.time.scheduled(in: 5)
        client.time.advance(by: 5)
        let held = await flush.value
        #expect(held == .timedOut(remaining: 1, reason: "events wait to be processed: 1; the plugin Slow works on one"))
        hold.signal()
        #expect(await client.flushed() == .sent)
        #expect(client.analytics.deliveryState.obstacle?.kind == .nothingDue)
        #expect(client.analytics.deliveryState.obstacle?.text == "nothing waits")
        await client.ended()
    }

    @Test("A plugin may flush in the middle of an event, and the flush covers that event")
    func fromPlugin() async {
        let client = Client { $0.flushPolicies([]) }
        let done = AsyncStream.makeStream(of: [String].self)
        let server = client.server
        let plugin = Recorder { [weak analytics = client.analytics] event in
            analytics?.flush { done.continuation.yield(server.names) }
            return event
        }
        client.analytics.add(plugin: plugin)
        client.analytics.track(name: "A")
        client.begin()
        for await names in done.stream {
            #expect(names == ["A"])
            break
        }
    }

    @Test("Many flushes at once all end, and cause few requests")
    func concurrent() async {
        let client = Client { $0.flushPolicies([]) }
        await client.processed()
        let scheduled = client.time.scheduledCount
        await withTaskGroup(of: FlushResult.self) { group in
            for number in 1...50 {
                group.addTask {
                    client.analytics.track(name: "E\(number)")
                    return await client.analytics.flush(timeout: 100)
                }
            }
            for await result in group { #expect(result == .sent) }
        }
        #expect(Set(client.server.names).count == 50)
        #expect(client.server.names.count == 50)
        // No timer is left of any wait; one more may be the client's own, to write down how far the inbox was read.
        #expect(client.time.scheduledCount <= scheduled + 1)
    }

    @Test("During a pause of delivery a flush returns the reason at once and sends nothing")
    func duringPause() async {
        let client = Client { $0.flushPolicies([]) }
        client.server.answerNext(.success(TransportResponse(status: 429, headers: ["Retry-After": "100"])))
        client.analytics.track(name: "A")
        await client.processed()
        client.analytics.flush()
        await client.reported(.delivery, count: 1)
        for _ in 0..<10 {
            await withCheckedContinuation { done in client.analytics.flush { done.resume() } }
        }
        #expect(client.server.batches.count == 1)
        guard case .paused(let until) = client.analytics.deliveryState.activity else {
            Issue.record("\(client.analytics.deliveryState)")
            return
        }
        let now = Double(client.time.milliseconds) / 1000
        #expect((99.0...102.0).contains(until.timeIntervalSince1970 - now))
        #expect(client.analytics.deliveryState.obstacle?.kind == .failure)
        #expect(client.analytics.deliveryState.obstacle?.text.contains("429") == true)
        #expect(client.analytics.deliveryState.waiting == 1)
        client.time.advance(by: 102)
        #expect(await client.analytics.flush(timeout: 100) == .sent)
    }

    @Test("A flush of an ended client returns that it has ended", .timeLimit(.minutes(30)))
    func ended() async throws {
        let folder = try TemporaryFolder()
        let server = TestServer()
        server.silenceSettings()
        let client = Client(server: server, folder: folder.url)
        client.analytics.track(name: "A")
        await client.ended()
        guard case .partly(_, let reason) = await client.analytics.flush(timeout: 100) else {
            Issue.record("it said something else")
            return
        }
        #expect(reason.contains("ended"))
        await withCheckedContinuation { done in client.analytics.flush { done.resume() } }
    }

    @Test("Flushes that wait when the client ends return at once")
    func endsMeanwhile() async {
        let transport = HeldTransport(TestServer())
        let client = Client { $0.transport(transport) }
        client.analytics.track(name: "A")
        client.begin()
        let flush = Task { await client.analytics.flush(timeout: 1000) }
        await transport.batches(1)
        await client.ended()
        guard case .partly(1, let reason) = await flush.value else {
            Issue.record("it said something else")
            return
        }
        #expect(reason.contains("ended"))
    }

    @Test("A flush without time returns the present state", arguments: [0.0, -1.0, Double.nan, -Double.infinity])
    func noTime(timeout: TimeInterval) async {
        let client = Client { $0.flushPolicies([]) }
        await client.processed()
        #expect(await client.analytics.flush(timeout: timeout) == .sent)
        client.analytics.track(name: "A")
        let result = await client.analytics.flush(timeout: timeout)
        if case .partly = result { Issue.record("\(result)") }
        #expect(await client.analytics.flush(timeout: Double.infinity) == .sent)
        #expect(client.server.names == ["A"])
    }

    @Test("A cancelled flush returns, and its events still arrive")
    func cancelled() async {
        let transport = HeldTransport(TestServer())
        let client = Client { $0.transport(transport) }
        client.analytics.track(name: "A")
        client.begin()
        let flush = Task { await client.analytics.flush(timeout: 1000) }
        await transport.batches(1)
        flush.cancel()
        guard case .partly(1, let reason) = await flush.value else {
            Issue.record("it said something else")
            return
        }
        #expect(reason.contains("cancelled"))
        transport.answer(0, 200)
        #expect(await client.analytics.flush(timeout: 100) == .sent)
    }

    @Test("Waiting events can be inspected without changing them")
    func looking() async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url) { $0.flushPolicies([]) }
        await client.processed()
        #expect(!client.analytics.hasUnsentEvents)
        #expect(client.analytics.pendingUploads == nil)
        client.analytics.track(name: "A")
        await client.processed()
        for _ in 0..<3 {
            #expect(client.analytics.hasUnsentEvents)
            #expect(client.analytics.pendingUploads?.isEmpty == false)
        }
        #expect(client.server.batches.isEmpty)
        #expect(await client.analytics.flush(timeout: 100) == .sent)
        #expect(client.analytics.pendingUploads == nil)
        await client.ended()
        #expect(Client().analytics.pendingUploads == nil)
    }

    @Test("Dead letters can be read and deleted")
    func deadLetters() async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url)
        client.server.answerBatches { events in
            events.contains { $0["event"] == "Bad" } ? .success(TransportResponse(status: 422)) : nil
        }
        for name in ["A", "Bad", "B", "Bad"] { client.analytics.track(name: name) }
        #expect(await client.flushed() == .dropped(reasons: ["dead_lettered": 2]))
        let letters = client.analytics.deadLetters()
        #expect(letters.map { $0.event["event"] } == ["Bad", "Bad"])
        #expect(letters.allSatisfy { $0.reason.contains("422") })
        #expect(letters.first?.date.timeIntervalSince1970 == Double(client.time.milliseconds) / 1000)
        #expect(client.analytics.deadLetters(limit: 1).count == 1)
        #expect(client.analytics.deliveryState.deadLetters == 2)
        client.analytics.removeDeadLetters()
        #expect(client.analytics.deadLetters().isEmpty)
        #expect(client.analytics.deliveryState.deadLetters == 0)
        await client.ended()
    }

    @Test("A flush names events that were too large, once, and only the flush that nothing holds up")
    func tooLarge() async {
        let client = Client { $0.storageLimits(bytes: 150_000).flushPolicies([]) }
        let large = String(repeating: "x", count: 40_000)
        for _ in 1...2 { client.analytics.track(name: "Large", properties: ["text": large]) }
        client.analytics.track(name: "A")
        client.server.answerNext(503)
        // A flush without a result reports no drop.
        await client.attempted()
        guard case .timedOut(remaining: 1, reason: _) = await client.analytics.flush(timeout: 0) else {
            Issue.record("nothing waits")
            return
        }
        client.time.advance(by: 3600)
        #expect(await client.flushed() == .dropped(reasons: ["too_large": 2]))
        #expect(client.server.names == ["A"])
        #expect(await client.flushed() == .sent)
        await client.ended()
    }

    @Test("A flush says that the server refused an event for good")
    func refused() async {
        let client = Client { $0.flushPolicies([]) }
        client.server.answerNext(400)
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .dropped(reasons: ["dead_lettered": 1]))
        client.analytics.track(name: "B")
        #expect(await client.flushed() == .sent)
        await client.ended()
    }

    @Test("What the app's own plugins or a purge keep back does not count as dropped")
    func keptBack() async {
        let client = Client { $0.flushPolicies([]) }
        client.analytics.add(plugin: Recorder { ($0 as? TrackEvent)?.event == "Secret" ? nil : $0 })
        client.analytics.track(name: "Secret")
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["A"])
        await client.ended()
    }
}
