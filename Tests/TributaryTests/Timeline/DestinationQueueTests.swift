import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("A slow, stuck or busy destination")
struct DestinationQueueTests {
    private func client(
        folder: TemporaryFolder? = nil, server: TestServer = TestServer(),
        timeout: Double = Limits.destinationTimeout
    ) -> Client {
        server.answerSettings(["integrations": ["Held": true, "Other": true]])
        return Client(server: server, folder: folder?.url) {
            $0.flushAt(.max).flushInterval(0).destinationTimeout(timeout)
        }
    }

    private func names(_ destination: TestDestination) -> [String] {
        destination.received.compactMap { ($0 as? TrackEvent)?.event }
    }

    /// Everything has gone through the timeline; destinations are not waited for.
    private func processed(_ client: Client) async {
        client.begin()
        await withCheckedContinuation { done in client.analytics.pipeline.turns.barrier { done.resume() } }
    }

    @Test(
        "A destination that never returns blocks no other destination, is reported, and gets its events when it returns"
    )
    func stuck() async {
        let client = client()
        let held = HeldDestination("Held"), other = TestDestination("Other")
        let after = Recorder(.after)
        for plugin in [held, other, after] as [any Plugin] { client.analytics.add(plugin: plugin) }
        let names = (0..<20).map { "E\($0)" }
        for name in names { client.analytics.track(name: name) }
        await processed(client)
        await held.hasBegun(1)
        #expect(await client.analytics.flush(timeout: 3600) == .sent)
        #expect(client.server.names == names)
        #expect(after.seen.isEmpty)
        #expect(client.analytics.eventQueue.inbox.count == 20)

        while client.diagnostics.all(.pluginFault).isEmpty {
            client.time.advance(by: 1)
            await Task.yield()
        }
        await client.reported(reason: "destination_stuck")
        await client.processed()  // no longer waits for it
        #expect(self.names(other) == names)
        #expect(after.seen.compactMap { ($0 as? TrackEvent)?.event } == names)
        let stuck = client.diagnostics.all(.pluginFault).first
        #expect(stuck?.plugin == "Held" && stuck?.destination == "Held" && stuck?.count == 20)
        client.analytics.track(name: "Late")
        await client.processed()
        await client.processed()  // the other one has dealt with it
        #expect(client.analytics.eventQueue.inbox.count == 0)
        #expect(held.done.isEmpty)

        held.open()
        await held.hasDone(21)
        await client.reported(reason: "destination_recovered")
        #expect(held.done == names + ["Late"])
        await client.processed()
        #expect(client.analytics.counters.delivered == ["Held": 21, "Other": 21, "Segment.io": 21])
        #expect(after.seen.count == 21)
    }

    @Test("A slow destination loses the events that do not fit, and no other destination loses events")
    func overflow() async {
        let client = client()
        let held = HeldDestination("Held"), other = TestDestination("Other")
        client.analytics.add(plugin: held)
        client.analytics.add(plugin: other)
        let names = (0..<1500).map { "E\($0)" }
        for name in names { client.analytics.track(name: name) }
        client.begin()
        await client.time.scheduled(in: Limits.destinationPatience)  // it has its chance
        client.time.advance(by: Limits.destinationPatience)
        #expect(await client.analytics.flush(timeout: 3600) == .sent)
        let isSent = client.server.names == names
        #expect(isSent)
        #expect(client.analytics.counters.lostByDestination == ["Held": 500])
        await client.reported(reason: "destination_full")

        held.open()
        await held.hasDone(1000)
        await client.processed()
        let (hasRest, hasAll) = (held.done == Array(names[..<1000]), self.names(other) == names)
        #expect(hasRest && hasAll)
        client.analytics.track(name: "Late")
        await client.processed()
        #expect(held.done.last == "Late")
        #expect(client.analytics.counters.lostByDestination == ["Held": 500])
        await client.reported(.eventDropped, count: 2)
        let reports = client.diagnostics.all(.eventDropped)
        #expect(reports.map(\.destination) == ["Held", "Held"])
        #expect(reports.last?.count == 500)
    }

    @Test("The pipeline waits for a destination that is a little behind, and it gets all events")
    func backlog() async {
        let client = client()
        let held = HeldDestination("Held")
        client.analytics.add(plugin: held)
        let names = (0..<3000).map { "E\($0)" }
        for name in names { client.analytics.track(name: name) }
        client.begin()
        await client.time.scheduled(in: Limits.destinationPatience)
        held.open()  // and no time goes by
        await withCheckedContinuation { done in client.analytics.afterProcessing { done.resume() } }
        let isComplete = held.done == names
        #expect(isComplete)
        #expect(client.analytics.counters.lostByDestination.isEmpty)
    }

    @Test("After a crash destinations get their unfinished events, and the server no event twice")
    func crash() async throws {
        let folder = try TemporaryFolder()
        let server = TestServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let first = client(folder: folder, server: server)
        let held = HeldDestination("Held")
        first.analytics.add(plugin: held)
        let names = (0..<600).map { "E\($0)" }
        for name in names { first.analytics.track(name: name) }
        await processed(first)
        held.admit(2)
        await held.hasBegun(3)
        let killed = try folder.copy()

        let second = client(folder: killed)
        let again = TestDestination("Held")
        second.analytics.add(plugin: again)
        #expect(second.analytics.storageState.queues.map(\.unsent) == [600])
        #expect(second.analytics.storageState.queues.map(\.unprocessed) == [0])
        second.analytics.track(name: "New")
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == names + ["New"])
        let received = self.names(again)
        #expect(received.suffix(598) == names.suffix(597) + ["New"])
        #expect(Set(received).count == received.count)
        await second.ended()
        held.open()
        await first.ended()
    }

    @Test("After a crash a client without destinations shows plugins no event again")
    func crashWithout() async throws {
        let folder = try TemporaryFolder()
        let server = TestServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let first = client(folder: folder, server: server)
        for number in 0..<50 { first.analytics.track(name: "E\(number)") }
        await processed(first)
        let killed = try folder.copy()
        let second = client(folder: killed)
        let recorder = Recorder()
        second.analytics.add(plugin: recorder)
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == (0..<50).map { "E\($0)" })
        #expect(recorder.seen.isEmpty)
        #expect(second.analytics.counters.processed == 0)
        await second.ended()
        await first.ended()
    }

    @Test("A client that is shut down delivers waiting events to destinations, and the next repeats none")
    func shutdown() async throws {
        let folder = try TemporaryFolder()
        let first = client(folder: folder)
        let held = HeldDestination("Held")
        first.analytics.add(plugin: held)
        let names = (0..<40).map { "E\($0)" }
        for name in names { first.analytics.track(name: name) }
        await processed(first)
        await held.hasBegun(1)
        let ending = Task { await first.ended() }
        held.open()
        await ending.value
        #expect(held.done == names)
        await held.hasDone(40)
        let second = client(folder: folder)
        let again = TestDestination("Held")
        second.analytics.add(plugin: again)
        await second.processed()
        #expect(again.received.isEmpty)
        await second.ended()
    }

    @Test("A stuck destination delays the end by its timeout only, and the next client repeats its events")
    func shutdownWhileStuck() async throws {
        let folder = try TemporaryFolder()
        // A time that differs from the end's time, so that the test can tell them apart.
        let first = client(folder: folder, timeout: 60)
        let held = HeldDestination("Held")
        first.analytics.add(plugin: held)
        for name in ["A", "B", "C"] { first.analytics.track(name: name) }
        await processed(first)
        await held.hasBegun(1)
        held.admit()
        await held.hasBegun(2)
        let ending = Task { await first.ended() }
        await first.time.scheduled(in: Limits.destinationTimeout)
        first.time.advance(by: Limits.destinationTimeout)
        await ending.value
        let second = client(folder: folder)
        let again = TestDestination("Held")
        second.analytics.add(plugin: again)
        await second.processed()
        #expect(self.names(again) == ["B", "C"])
        await second.ended()
        held.open()
    }

    @Test("A removed destination gets no further event, then shutdown")
    func removal() async {
        let client = client()
        let held = HeldDestination("Held")
        client.analytics.add(plugin: held)
        for name in ["A", "B", "C"] { client.analytics.track(name: name) }
        await processed(client)
        await held.hasBegun(1)
        client.analytics.remove(plugin: held)
        await processed(client)
        #expect(!held.isShutDown)
        held.open()
        await held.hasDone(1)
        await client.processed()
        client.analytics.track(name: "D")
        await client.processed()
        #expect(held.begun == ["A"])
        #expect(client.analytics.eventQueue.inbox.count == 0)
    }

    @Test("A destination gets its calls in order: settings, events, reset, flush, shutdown")
    func calls() async {
        // Unchecked because the notes are behind the lock; `analytics` is set once, before anything is called.
        final class Log: DestinationPlugin, @unchecked Sendable {
            let type = PluginType.destination
            let timeline = Timeline()
            let name = "Other"
            weak var analytics: Analytics?
            let calls = LockBox<[String]>([])
            func note(_ call: String) { calls.withLock { $0.append(call) } }
            func update(settings: Settings, type: UpdateType) { note("update \(type)") }
            func track(event: TrackEvent) -> TrackEvent? {
                note(event.event)
                return event
            }
            func reset() { note("reset") }
            func flush() { note("flush") }
            func shutdown() { note("shutdown") }
        }
        let client = client()
        let log = Log()
        client.analytics.track(name: "A")
        client.analytics.add(plugin: log)
        client.analytics.track(name: "B")
        client.analytics.reset()
        client.analytics.track(name: "C")
        await client.processed()
        await client.attempted()
        await client.processed()
        await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        await client.processed()
        client.analytics.remove(plugin: log)
        await client.processed()
        await client.ended()
        let calls = log.calls.withLock { $0 }
        #expect(calls == ["update initial", "A", "B", "reset", "C", "flush", "update refresh", "shutdown"])
    }

    @Test("Events that destinations track arrive once, and a replay makes the same ids")
    func tracking() async throws {
        // Unchecked because `analytics` is set once, before events come, and there is nothing else.
        final class Echo: DestinationPlugin, @unchecked Sendable {
            let type = PluginType.destination
            let timeline = Timeline()
            let name = "Other"
            weak var analytics: Analytics?
            func configure(analytics: Analytics) {
                self.analytics = analytics
                analytics.track(name: "Configured")
            }
            func update(settings: Settings) { analytics?.track(name: "Updated") }
            func track(event: TrackEvent) -> TrackEvent? {
                if event.event == "A" { analytics?.track(name: "Echo") }
                return event
            }
            func reset() { analytics?.track(name: "Reset") }
            func flush() { analytics?.track(name: "Flushed") }
        }
        let client = client()
        client.analytics.add(plugin: Echo())
        client.analytics.track(name: "A")
        client.analytics.reset()
        for _ in 0..<2 { await client.flushed() }
        await client.processed()
        await client.flushed()
        let names = client.server.names
        for name in ["Configured", "Updated", "A", "Echo", "Reset"] { #expect(names.filter { $0 == name }.count == 1) }
        #expect(names.contains("Flushed"))
        func id(_ name: String) -> String? {
            client.server.events.first { $0["event"]?.stringValue == name }?["messageId"]?.stringValue
        }
        let cause = try #require(id("A"))
        #expect(id("Echo")?.hasPrefix("\(cause)-") == true)
    }
}
