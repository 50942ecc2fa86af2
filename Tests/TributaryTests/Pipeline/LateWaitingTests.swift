import Dispatch
import TestSupport
import Testing

@testable import Tributary

/// Plugins that ask for time after events have been processed: because they are added later, or removed and added again.
@Suite("A plugin that asks for time after the start")
struct LateWaitingTests {
    /// When a plugin asks for time.
    enum Moment: CaseIterable, Sendable { case configure, update }

    /// Asks for time each time it is added.
    ///
    /// Unchecked because `analytics` is set before everything else, and the rest is behind its lock.
    private final class Waiter: EventPlugin, WaitingPlugin, @unchecked Sendable {
        private struct State {
            var life = 0
            var isReady = false
            var seen: [String] = []
            var early: [String] = []
        }

        let type = PluginType.enrichment
        weak var analytics: Analytics?
        let asked = DispatchSemaphore(value: 0)
        private let moment: Moment
        /// Whether the plugin is ready a moment after it has asked for time, without the test.
        private let isQuick: Bool
        private let state = LockBox(State())

        init(_ moment: Moment, isQuick: Bool = false) {
            self.moment = moment
            self.isQuick = isQuick
        }

        /// The events that it saw.
        var seen: [String] { state.withLock { $0.seen } }
        /// The events that it saw before it was ready.
        var early: [String] { state.withLock { $0.early } }

        func configure(analytics: Analytics) {
            self.analytics = analytics
            if moment == .configure { ask() }
        }

        func update(settings: Settings, type: UpdateType) {
            if moment == .update, type == .initial { ask() }
        }

        private func ask() {
            let life = state.withLock { state in
                analytics?.pauseEventProcessing(plugin: self)
                state.isReady = false
                state.life += 1
                return state.life
            }
            asked.signal()
            if isQuick { DispatchQueue.global().async { self.becomeReady(life) } }
        }

        func becomeReady(_ life: Int? = nil) {
            state.withLock { state in
                guard life == nil || life == state.life else { return }
                state.isReady = true
                analytics?.resumeEventProcessing(plugin: self)
            }
        }

        func track(event: TrackEvent) -> TrackEvent? {
            state.withLock { state in
                state.seen.append(event.event)
                if !state.isReady { state.early.append(event.event) }
            }
            return event
        }
    }

    /// Tracks an event at which the gate waits.
    private func hold(_ client: Client, _ gate: EventGate) async {
        let arrived = gate.arrived
        client.analytics.track(name: "Held")
        await Task.detached { arrived.wait() }.value
    }

    @Test(
        "The events that are tracked next wait for it, also while another plugin works",
        arguments: Moment.allCases, [true, false])
    func added(moment: Moment, isAgain: Bool) async {
        let client = Client(settings: ["integrations": [:]])
        let (gate, waiter) = (EventGate(), Waiter(moment))
        client.analytics.add(plugin: gate)
        if isAgain {
            client.analytics.add(plugin: waiter)
            await Task.detached { waiter.asked.wait() }.value
            waiter.becomeReady()
        }
        await client.processed()
        await hold(client, gate)
        client.analytics.track(name: "Between")
        if isAgain { client.analytics.remove(plugin: waiter) }
        client.analytics.add(plugin: waiter)
        client.analytics.track(name: "Next")
        client.analytics.track(name: "Last")
        gate.opened.signal()
        await Task.detached { waiter.asked.wait() }.value
        for _ in 0..<3 { await client.executed() }
        #expect(client.analytics.counters.processed < 3)
        #expect(waiter.early.isEmpty)
        waiter.becomeReady()
        #expect(await client.flushed() == .sent)
        #expect(waiter.early.isEmpty)
        #expect(waiter.seen.suffix(2) == ["Next", "Last"])
        #expect(client.server.names == ["Held", "Between", "Next", "Last"])
        await client.ended()
    }

    @Test("An event that is tracked after the last of several pauses waits, also while another plugin works")
    func order() async {
        let client = Client()
        let (gate, waiter) = (EventGate(), Waiter(.configure))
        client.analytics.add(plugin: gate)
        await client.processed()
        await hold(client, gate)
        client.analytics.track(name: "Between")
        client.analytics.pauseEventProcessing(plugin: waiter)
        client.analytics.resumeEventProcessing(plugin: waiter)
        client.analytics.pauseEventProcessing(plugin: waiter)
        client.analytics.track(name: "Next")
        gate.opened.signal()
        for _ in 0..<3 { await client.executed() }
        #expect(client.analytics.counters.processed < 3)
        client.analytics.resumeEventProcessing(plugin: waiter)
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["Held", "Between", "Next"])
        await client.ended()
    }

    /// Asks for time because of an event.
    private final class Asker: EventPlugin, WaitingPlugin {
        let type = PluginType.enrichment
        weak var analytics: Analytics?

        func track(event: TrackEvent) -> TrackEvent? {
            if event.event == "Asks" { analytics?.pauseEventProcessing(plugin: self) }
            return event
        }
    }

    @Test("The event after the one for which a plugin asks for time waits")
    func duringEvent() async {
        let client = Client()
        let (gate, asker) = (EventGate(), Asker())
        client.analytics.add(plugin: gate)
        client.analytics.add(plugin: asker)
        await client.processed()
        await hold(client, gate)
        for name in ["Asks", "Next", "Last"] { client.analytics.track(name: name) }
        gate.opened.signal()
        for _ in 0..<3 { await client.executed() }
        #expect(client.analytics.counters.processed == 2)
        client.analytics.resumeEventProcessing(plugin: asker)
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["Held", "Asks", "Next", "Last"])
        await client.ended()
    }

    @Test("The time of an earlier pause does not end a later one, which has its own")
    func time() async {
        let client = Client { $0.waitingTimeout(30) }
        let waiter = Waiter(.configure)
        await client.processed()
        client.analytics.pauseEventProcessing(plugin: waiter)
        await client.executed()
        client.time.advance(by: 20)
        client.analytics.resumeEventProcessing(plugin: waiter)
        client.analytics.pauseEventProcessing(plugin: waiter)
        client.analytics.track(name: "A")
        await client.executed()
        client.time.advance(by: 10)
        await client.executed()
        #expect(client.analytics.counters.processed == 0)
        #expect(client.diagnostics.all(.pluginFault).isEmpty)
        client.time.advance(by: 20)
        await client.reported(.pluginFault, count: 1)
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["A"])
        await client.ended()
    }

    @Test(
        "In random histories it sees each event that follows its last adding, and none before it is ready",
        arguments: Moment.allCases, 1...10)
    func histories(moment: Moment, seed: Int) async {
        var random = SeededGenerator(seed: UInt64(seed))
        let client = Client(settings: ["integrations": [:]])
        let (gate, waiter) = (EventGate(), Waiter(moment, isQuick: true))
        client.analytics.add(plugin: gate)
        await client.processed()
        var tracked: [String] = []
        var due: [String] = []
        var isAdded = false
        for round in 1...8 {
            let isHeld = Bool.random(using: &random)
            if isHeld {
                await hold(client, gate)
                tracked.append("Held")
                if isAdded { due.append("Held") }
            }
            for step in 1...6 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where isAdded:
                    client.analytics.remove(plugin: waiter)
                    (isAdded, due) = (false, [])
                case 0,
                    1 where !isAdded:
                    client.analytics.add(plugin: waiter)
                    isAdded = true
                default:
                    let name = "\(round).\(step)"
                    client.analytics.track(name: name)
                    tracked.append(name)
                    if isAdded { due.append(name) }
                }
            }
            if isHeld { gate.opened.signal() }
        }
        #expect(await client.flushed() == .sent)
        #expect(waiter.early.isEmpty)
        #expect(waiter.seen.suffix(due.count) == due)
        #expect(client.server.names == tracked)
        await client.ended()
    }
}
