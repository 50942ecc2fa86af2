import TestSupport
import Testing

@testable import Tributary

@Suite("Destinations that take turns")
struct DestinationOrderTests {
    /// Unchecked because `analytics` is set once, before events come, and the rest is constant.
    private final class TurnTaker: SequentialDestination, @unchecked Sendable {
        let type = PluginType.destination
        let name: String
        let timeline = Timeline()
        weak var analytics: Analytics?
        let held: HeldDestination
        private let log: LockBox<[String]>

        init(_ name: String, _ log: LockBox<[String]>) {
            self.name = name
            self.log = log
            held = HeldDestination(name)
        }

        func track(event: TrackEvent) -> TrackEvent? {
            log.withLock { $0.append("\(event.event) \(name)") }
            return held.track(event: event)
        }

        func reset() { log.withLock { $0.append("reset \(name)") } }
        func shutdown() { held.shutdown() }
    }

    private struct Setup {
        let client: Client
        let log = LockBox<[String]>([])
        let members: [TurnTaker]

        init(_ names: [String] = ["A", "B", "C"], open: [String]) {
            let server = TestServer()
            server.answerSettings(["integrations": ["A": true, "B": true, "C": true]])
            client = Client(server: server) { $0.flushAt(.max).flushInterval(0) }
            let log = self.log
            members = names.map { TurnTaker($0, log) }
            for member in members {
                client.analytics.add(plugin: member)
                if open.contains(member.name) { member.held.open() }
            }
        }

        var calls: [String] { log.withLock { $0 } }
        func calls(of name: String) -> [String] { calls.filter { $0.hasSuffix(" \(name)") } }

        func track(_ names: [String]) { for name in names { client.analytics.track(name: name) } }

        /// Everything has gone through the timeline; destinations are not waited for.
        func processed() async {
            client.begin()
            await withCheckedContinuation { done in client.analytics.pipeline.turns.barrier { done.resume() } }
        }
    }

    private func turns(_ names: [String], _ members: [String] = ["A", "B", "C"]) -> [String] {
        names.flatMap { name in members.map { "\(name) \($0)" } }
    }

    @Test("Sequential destinations get each call in order before the next call reaches any")
    func order() async {
        let setup = Setup(open: ["A", "B", "C"])
        let names = (0..<300).map { "E\($0)" }
        setup.track(names)
        setup.client.analytics.reset()
        setup.track(["after"])
        await setup.client.processed()
        let isInOrder = setup.calls == turns(names + ["reset", "after"])
        #expect(isInOrder)
    }

    @Test("A destination that does not get an event needs no turn for it")
    func left() async {
        let setup = Setup(open: ["A", "B", "C"])
        setup.client.analytics.track(name: "1")
        setup.client.analytics.track(
            name: "2", properties: nil, options: EventOptions(integrations: ["A": false]))
        setup.client.analytics.track(name: "3")
        await setup.client.processed()
        #expect(setup.calls == ["1 A", "1 B", "1 C", "2 B", "2 C", "3 A", "3 B", "3 C"])
    }

    @Test("A stuck destination delays other destinations by its timeout only, and takes turns again later")
    func stuck() async {
        let setup = Setup(open: ["A", "C"])
        let held = setup.members[1].held
        let names = (0..<20).map { "E\($0)" }
        setup.track(names)
        await setup.processed()
        await held.hasBegun(1)
        #expect(setup.calls == ["E0 A", "E0 B"])

        await setup.processed()  // all are watched
        setup.client.time.advance(by: Limits.destinationTimeout)
        await setup.client.reported(reason: "destination_stuck")
        await setup.client.processed()
        #expect(setup.calls == ["E0 A", "E0 B", "E0 C"] + turns(Array(names.dropFirst()), ["A", "C"]))

        held.open()
        await held.hasDone(20)
        await setup.client.reported(reason: "destination_recovered")
        await setup.client.processed()
        #expect(setup.calls(of: "B") == turns(names, ["B"]))
        let count = setup.calls.count
        setup.track(["1", "2"])
        await setup.client.processed()
        #expect(Array(setup.calls.dropFirst(count)) == turns(["1", "2"]))
    }

    @Test("A long wait for a turn does not count as stuck")
    func laterStuck() async {
        let setup = Setup(["A", "B"], open: [])
        let (first, second) = (setup.members[0].held, setup.members[1].held)
        setup.track(["1"])
        await setup.processed()
        await first.hasBegun(1)
        await setup.processed()  // both are watched
        setup.client.time.advance(by: Limits.destinationTimeout - 1)
        first.open()
        await second.hasBegun(1)
        setup.client.time.advance(by: Limits.destinationTimeout - 1)
        await setup.processed()
        #expect(setup.client.diagnostics.all(.pluginFault).isEmpty)
        setup.client.time.advance(by: 1)
        await setup.client.reported(reason: "destination_stuck")
        #expect(setup.client.diagnostics.all(.pluginFault).map(\.destination) == ["B"])
        second.open()
        await setup.client.processed()
    }

    @Test("A slow sequential destination loses events when its queue is full, and other destinations lose none")
    func slow() async {
        let setup = Setup(["A", "B"], open: ["B"])
        let names = (0..<1500).map { "E\($0)" }
        setup.track(names)
        setup.client.begin()
        await setup.client.time.scheduled(in: Limits.destinationPatience)  // it has its chance
        setup.client.time.advance(by: Limits.destinationPatience)
        #expect(await setup.client.analytics.flush(timeout: 3600) == .sent)
        setup.members[0].held.open()
        await setup.client.processed()
        let hasAll = setup.calls(of: "B") == turns(names, ["B"])
        #expect(hasAll)
        #expect(setup.calls(of: "A").count < names.count)
    }

    @Test("Other destinations do not wait for a destination that is removed during its turn")
    func removed() async {
        let setup = Setup(open: ["B", "C"])
        let held = setup.members[0].held
        setup.track(["1", "2"])
        await setup.processed()
        await held.hasBegun(1)
        setup.client.analytics.remove(plugin: setup.members[0])
        await setup.processed()
        await setup.members[2].held.hasDone(2)
        #expect(setup.calls == ["1 A", "1 B", "1 C", "2 B", "2 C"])
        held.open()
        await setup.client.processed()
        #expect(held.begun == ["1"])
    }
}
