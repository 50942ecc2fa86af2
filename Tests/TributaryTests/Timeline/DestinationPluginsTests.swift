import Dispatch
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Plugins in a destination's timeline")
struct DestinationPluginsTests {
    private func client(timeout: Double = Limits.destinationTimeout) -> Client {
        Client(settings: ["integrations": ["Slow": true, "Other": true]]) {
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
        "An inner plugin that never returns blocks only its destination, which is named",
        arguments: [PluginType.before, .enrichment, .after])
    func slow(type: PluginType) async {
        let client = client()
        let (gate, entered) = (DispatchSemaphore(value: 0), LockBox(0))
        let slow = TestDestination("Slow"), other = TestDestination("Other")
        slow.add(
            plugin: Recorder(type, name: "Sleeper") { event in
                entered.withLock { $0 += 1 }
                gate.wait()
                return event
            })
        client.analytics.add(plugin: slow)
        client.analytics.add(plugin: other)
        for name in ["A", "B", "C"] { client.analytics.track(name: name) }
        await processed(client)
        #expect(await client.analytics.flush(timeout: 3600) == .sent)
        #expect(client.server.names == ["A", "B", "C"])
        while entered.withLock({ $0 }) == 0 { await Task.yield() }
        while client.diagnostics.all(.pluginFault).isEmpty {
            client.time.advance(by: 1)
            await Task.yield()
        }
        await client.reported(reason: "destination_stuck")
        #expect(client.diagnostics.all(.pluginFault).first?.destination == "Slow")
        await client.processed()
        #expect(names(other) == ["A", "B", "C"])
        for _ in 0..<3 { gate.signal() }
        await client.reported(reason: "destination_recovered")
        client.analytics.track(name: "D")
        gate.signal()
        // The destination works on a queue of its own.
        while names(slow).count < 4 { await Task.yield() }
        #expect(names(slow) == ["A", "B", "C", "D"])
    }

    @Test("Inner plugins run in the order of their types on the destination's queue, settings first")
    func order() async {
        let client = client()
        let calls = LockBox<[String]>([])
        let destination = TestDestination("Slow")
        func note(_ type: PluginType, _ name: String) -> Recorder {
            Recorder(type, name: name) { event in
                let onOwnQueue = DispatchQueue.getSpecific(key: ExecutorKey.specific)?.queue?.key == "Slow"
                calls.withLock { $0.append(onOwnQueue ? name : "\(name) elsewhere") }
                return event
            }
        }
        for (type, name) in [
            (PluginType.after, "after"), (.enrichment, "one"), (.before, "before"), (.enrichment, "two"),
        ] {
            destination.add(plugin: note(type, name))
        }
        client.analytics.add(plugin: destination)
        client.analytics.track(name: "A")
        await client.processed()
        #expect(calls.withLock { $0 } == ["before", "one", "two", "after"])
    }

    @Test("An inner plugin changes and drops events for its destination only")
    func dropping() async {
        let client = client()
        let slow = TestDestination("Slow"), other = TestDestination("Other")
        slow.add(plugin: Recorder(name: "Blocker") { ($0 as? TrackEvent)?.event == "Secret" ? nil : $0 })
        client.analytics.add(plugin: slow)
        client.analytics.add(plugin: other)
        client.analytics.track(name: "Secret")
        client.analytics.track(name: "Open")
        await client.flushed()
        #expect(names(slow) == ["Open"])
        #expect(names(other) == ["Secret", "Open"])
        #expect(client.server.names == ["Secret", "Open"])
        #expect(client.analytics.counters.droppedByPlugin == [.init(by: "Blocker", destination: "Slow"): 1])
    }

    @Test("A removed inner plugin sees none of the waiting events")
    func removal() async {
        let client = client()
        let held = HeldDestination("Slow")
        let plugin = Recorder()
        held.add(plugin: plugin)
        client.analytics.add(plugin: held)
        for name in ["A", "B", "C"] { client.analytics.track(name: name) }
        await processed(client)
        await held.hasBegun(1)
        held.remove(plugin: plugin)
        held.open()
        await held.hasDone(3)
        await client.processed()
        #expect(plugin.seen.count == 1)
        #expect(plugin.isShutDown)
    }

    @Test("An inner plugin that is added later gets the settings first and then the later events")
    func late() async {
        // The destination does not count as stuck, however much time passes.
        let client = client(timeout: 1e9)
        let held = HeldDestination("Slow")
        client.analytics.add(plugin: held)
        client.analytics.track(name: "Before")
        await processed(client)
        await held.hasBegun(1)
        // There are more calls than the queue takes. None of them may push out the calls that keep events from the
        // destination.
        for _ in 0..<3 * Limits.destinationEvents { client.analytics.reset() }
        await processed(client)
        let blocker = Recorder(name: "Blocker") { _ in nil }
        held.add(plugin: blocker)
        client.analytics.track(name: "After")
        let isProcessed = LockBox(false)
        client.analytics.pipeline.turns.barrier { isProcessed.withLock { $0 = true } }
        // The queue is full, so the client waits a moment for room before it processes the event.
        while !isProcessed.withLock({ $0 }) {
            client.time.advance(by: Limits.destinationPatience)
            await Task.yield()
        }
        held.open()
        await client.processed()
        #expect(held.done == ["Before"])
        #expect(blocker.updates == [.initial])
    }

    @Test("A plugin in several destinations' timelines is called by one of them at a time")
    func shared() async {
        /// Unchecked because the test checks that no two calls happen at the same time.
        final class Counting: Plugin, @unchecked Sendable {
            let type = PluginType.enrichment
            weak var analytics: Analytics?
            var calls = 0
            var isInside = false
            var overlaps = 0
            func execute(event: BaseEvent) -> BaseEvent? {
                if isInside { overlaps += 1 }
                isInside = true
                calls += 1
                isInside = false
                return event
            }
        }
        let client = client()
        let plugin = Counting()
        for name in ["Slow", "Other"] {
            let destination = TestDestination(name)
            destination.add(plugin: plugin)
            client.analytics.add(plugin: destination)
        }
        client.analytics.find(pluginType: SegmentDestination.self)?.add(plugin: plugin)
        for number in 0..<500 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        #expect(plugin.calls == 1500)
        #expect(plugin.overlaps == 0)
    }

    @Test("Blockers that a plugin adds when it gets settings also keep the waiting events from destinations")
    func blockersBeforeEvents() async {
        /// Unchecked because `analytics` is set once, before everything else, and there is nothing else.
        final class Consent: Plugin, @unchecked Sendable {
            let type = PluginType.utility
            weak var analytics: Analytics?
            func update(settings: Settings, type: UpdateType) {
                analytics?.apply { plugin in
                    guard let destination = plugin as? TestDestination else { return }
                    destination.add(plugin: Recorder(name: "Blocker") { _ in nil })
                }
            }
        }
        for _ in 0..<20 {
            let server = TestServer()
            server.silenceSettings()
            let client = Client(server: server) { $0.flushAt(.max).flushInterval(0) }
            let destination = TestDestination("Slow")
            client.analytics.add(plugin: destination)
            client.analytics.manuallyEnableDestination(plugin: destination)
            client.analytics.add(plugin: Consent())
            for number in 0..<100 { client.analytics.track(name: "E\(number)") }
            await client.time.scheduled(in: 10)
            client.time.advance(by: 10)
            await client.processed()
            #expect(destination.received.isEmpty)
            #expect(client.analytics.counters.droppedByPlugin == [.init(by: "Blocker", destination: "Slow"): 100])
        }
    }
}
