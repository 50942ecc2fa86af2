import Foundation
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Decisions of forwarding") struct ForwardingMachineTests {
    private typealias Action = ForwardingMachine.Action

    private static func partition(_ user: String) -> ForwardedEvent.Partition { .init(digest: Data(user.utf8)) }

    private static func event(_ sequence: Int64, _ user: String) -> ForwardedEvent {
        ForwardedEvent(sequence: sequence, messageId: "m-\(sequence)", partition: partition(user), body: [])
    }

    private static func waiting(_ sequence: Int64, _ user: String, attempts: Int = 1, since: Int64 = 0) -> Undelivered {
        Undelivered(
            sequence: sequence, messageId: "m-\(sequence)", partition: partition(user), attempts: attempts, since: since
        )
    }

    private static func machine(
        position: Int64 = 0, waiting: [Undelivered] = [], parallel: Int = 4, waitingLimit: Int = 100,
        noted: Set<Int64> = []
    ) -> ForwardingMachine {
        ForwardingMachine(
            position: position, waiting: waiting, noted: noted, parallel: parallel, waitingLimit: waitingLimit,
            random: { 0 })
    }

    /// A machine that has read these events, and what it sends at once.
    private static func reading(
        _ events: [ForwardedEvent], parallel: Int = 4, waiting: [Undelivered] = [], waitingLimit: Int = 100
    ) -> (machine: ForwardingMachine, sent: [Int64]) {
        var machine = machine(waiting: waiting, parallel: parallel, waitingLimit: waitingLimit)
        _ = machine.next(now: 0)
        machine.take(events.map { .event($0) }, through: events.last?.sequence ?? 0, isLast: true)
        let sent = sent(machine.next(now: 0))
        return (machine, sent)
    }

    private static func sent(_ actions: [Action]) -> [Int64] {
        actions.compactMap { if case .send(let event) = $0 { event.sequence } else { nil } }
    }

    @Test("Forwarding begins behind the stored position")
    func begin() {
        var machine = Self.machine(position: 41)
        #expect(machine.next(now: 0) == [.read(after: 41)])
        #expect(machine.next(now: 0) == [], "one page at a time")
    }

    @Test("Events of different users are sent in parallel, and events of one user in order")
    func order() {
        var (machine, sent) = Self.reading([
            Self.event(1, "a"), Self.event(2, "a"), Self.event(3, "b"), Self.event(4, "a"), Self.event(5, "c"),
        ])
        #expect(sent == [1, 3, 5])
        machine.answered(Self.event(3, "b"), .accepted("200"), now: 0)
        #expect(machine.next(now: 0) == [])
        machine.answered(Self.event(1, "a"), .accepted("200"), now: 0)
        #expect(Self.sent(machine.next(now: 0)) == [2])
    }

    @Test("A stop waits only for destinations that accepted their last request")
    func taking() {
        var (machine, _) = Self.reading((1...3).map { Self.event($0, "u\($0)") })
        #expect(!machine.isTaking)
        machine.answered(Self.event(1, "u1"), .accepted("200"), now: 0)
        #expect(machine.isTaking)
        machine.answered(Self.event(2, "u2"), .failed("refused"), now: 0)
        #expect(!machine.isTaking)
        machine.answered(Self.event(3, "u3"), .accepted("200"), now: 0)
        #expect(machine.isTaking)
    }

    @Test("The number of parallel requests is limited")
    func parallel() {
        let (_, sent) = Self.reading((1...9).map { Self.event($0, "u\($0)") }, parallel: 3)
        #expect(sent == [1, 2, 3])
    }

    @Test("The position stays before unfinished events")
    func position() {
        var (machine, _) = Self.reading((1...3).map { Self.event($0, "u\($0)") })
        machine.answered(Self.event(2, "u2"), .accepted("200"), now: 5)
        machine.answered(Self.event(3, "u3"), .accepted("200"), now: 5)
        let changes = machine.takeChanges()
        #expect(changes?.delivered == 2)
        #expect(changes?.position == 0)
        machine.answered(Self.event(1, "u1"), .accepted("200"), now: 9)
        #expect(machine.takeChanges()?.position == 3)
        #expect(machine.takeChanges() == nil)
    }

    @Test("A failed event delays only its user, and the position moves on")
    func failure() {
        var (machine, _) = Self.reading([Self.event(1, "a"), Self.event(2, "a"), Self.event(3, "b")])
        machine.answered(Self.event(1, "a"), .failed("500"), now: 100)
        machine.answered(Self.event(3, "b"), .accepted("200"), now: 100)
        #expect(Self.sent(machine.next(now: 100)) == [])
        let changes = machine.takeChanges()
        #expect(changes?.position == 3)
        #expect(changes?.kept[1]?.attempts == 1)
        #expect(changes?.kept[1]?.dueAt == 1_100)
        #expect(changes?.kept[2]?.attempts == 0, "it waits behind the first")
        #expect(machine.wakeTime(now: 100) == 1_100)
        #expect(machine.next(now: 1_099) == [])
        #expect(machine.next(now: 1_100) == [.load(1)])
        #expect(machine.loaded(.event(Self.event(1, "a"))) == [.send(Self.event(1, "a"))])
        machine.answered(Self.event(1, "a"), .accepted("200"), now: 1_200)
        #expect(machine.next(now: 1_200) == [.load(2)])
        #expect(machine.loaded(.leftOut(2, .gone)) == [], "it was erased meanwhile")
        let later = machine.takeChanges()
        #expect(later?.removed == [1, 2])
        #expect(machine.state.waiting == 0)
    }

    @Test("Pauses double up to ten minutes")
    func pauses() {
        let policy = ForwardingPolicy()
        #expect(
            (0..<12).map { policy.pauses.pause(after: $0, random: 0) / 1_000 } == [
                1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600,
            ])
        #expect(policy.pauses.pause(after: 0, random: 0.999) > 750 - 1)
        #expect(policy.pauses.pause(after: .max, random: 0) == 600_000)
    }

    @Test("A refused event is given up at once, and the next event of its user is sent")
    func refusal() {
        var (machine, _) = Self.reading([Self.event(1, "a"), Self.event(2, "a")])
        machine.answered(Self.event(1, "a"), .refused("400 Bad Request"), now: 7)
        #expect(Self.sent(machine.next(now: 7)) == [2])
        let letter = machine.takeChanges()?.kept[1]
        #expect(letter?.deadAt == 7)
        #expect(letter?.reason == "400 Bad Request")
    }

    @Test("A destination rests after failures in a row, and then one event tests the destination")
    func rest() {
        var (machine, _) = Self.reading((1...9).map { Self.event($0, "u\($0)") }, parallel: 5)
        for sequence in Int64(1)...5 { machine.answered(Self.event(sequence, "u\(sequence)"), .failed("down"), now: 0) }
        #expect(machine.rest == DestinationRest(until: 1_000, reason: "down"))
        #expect(machine.next(now: 999) == [])
        #expect(machine.wakeTime(now: 0) == 1_000)
        #expect(machine.next(now: 1_000) == [.load(1)])
        _ = machine.loaded(.event(Self.event(1, "u1")))
        machine.answered(Self.event(1, "u1"), .failed("down"), now: 1_000)
        #expect(machine.rest?.until == 3_000, "longer each time")
        #expect(machine.next(now: 3_000) == [.load(2)], "another one, in case the first is to blame")
        _ = machine.loaded(.event(Self.event(2, "u2")))
        machine.answered(Self.event(2, "u2"), .accepted("200"), now: 3_000)
        #expect(machine.rest == nil)
        #expect(machine.next(now: 3_000).count == 5)
    }

    @Test("Retry-After of a destination is obeyed, up to an hour")
    func toldRest() {
        var (machine, _) = Self.reading([Self.event(1, "a")])
        machine.answered(Self.event(1, "a"), .unavailable("429", retryAfter: 30_000), now: 0)
        #expect(machine.rest?.until == 30_000)
        #expect(machine.next(now: 29_999) == [])
        #expect(machine.next(now: 30_000) == [.load(1)])
        _ = machine.loaded(.event(Self.event(1, "a")))
        machine.answered(Self.event(1, "a"), .unavailable("429", retryAfter: .max), now: 30_000)
        #expect(machine.rest?.until == 3_630_000)
    }

    @Test("An event is given up only when the destination has accepted other events since")
    func givingUp() {
        var (machine, _) = Self.reading([], waiting: [Self.waiting(1, "a", attempts: 11, since: 50)])
        #expect(machine.next(now: 100) == [])
        _ = machine.loaded(.event(Self.event(1, "a")))
        machine.answered(Self.event(1, "a"), .failed("500"), now: 100)
        let kept = machine.takeChanges()?.kept[1]
        #expect(kept?.attempts == 12)
        #expect(kept?.deadAt == nil)
        machine.eventsCame()
        _ = machine.next(now: 100)
        machine.take([.event(Self.event(2, "b"))], through: 2, isLast: true)
        _ = machine.next(now: 100)
        machine.answered(Self.event(2, "b"), .accepted("200"), now: 200)
        _ = machine.next(now: 10_000_000)
        machine.answered(Self.event(1, "a"), .failed("500"), now: 10_000_000)
        #expect(machine.takeChanges()?.kept[1]?.deadAt == 10_000_000)
        #expect(machine.state.waiting == 0)
    }

    @Test("An event is given up one day after its first attempt")
    func age() {
        var (machine, _) = Self.reading([], waiting: [Self.waiting(1, "a", since: 0)])
        let day: Int64 = 86_400_000
        _ = machine.next(now: day)
        machine.answered(Self.event(1, "a"), .failed("no answer"), now: day)
        #expect(machine.takeChanges()?.kept[1]?.deadAt == day)
    }

    @Test("A full waiting list stops the reading of new events")
    func bound() {
        var (machine, _) = Self.reading(
            [], waiting: (1...3).map { Self.waiting($0, "u\($0)") }, waitingLimit: 3)
        machine.eventsCame()
        #expect(!machine.next(now: 0).contains { if case .read = $0 { true } else { false } })
        for sequence in Int64(1)...3 {
            _ = machine.loaded(.event(Self.event(sequence, "u\(sequence)")))
            machine.answered(Self.event(sequence, "u\(sequence)"), .accepted("200"), now: 0)
        }
        #expect(machine.next(now: 0).contains(.read(after: 0)))
    }

    @Test("A clock that is set back does not stop forwarding")
    func clock() {
        var (machine, _) = Self.reading([Self.event(1, "a")])
        let late: Int64 = 1_000_000_000_000
        machine.answered(Self.event(1, "a"), .unavailable("503", retryAfter: 5_000), now: late)
        #expect(machine.next(now: late) == [])
        #expect(machine.next(now: late - 86_400_000) == [.load(1)])
    }

    @Test("A failed read of events is repeated a little later")
    func reading() {
        var machine = Self.machine()
        _ = machine.next(now: 0)
        machine.readFailed(now: 0)
        #expect(machine.next(now: 10) == [])
        #expect(machine.wakeTime(now: 10) == 1_000)
        #expect(machine.next(now: 1_000) == [.read(after: 0)])
    }

    @Test("Events that come while a page is read are read next")
    func meanwhile() {
        var machine = Self.machine()
        #expect(machine.next(now: 0) == [.read(after: 0)])
        machine.eventsCame()
        machine.take([], through: 0, isLast: true)
        #expect(machine.next(now: 0) == [.read(after: 0)])
        machine.take([], through: 0, isLast: true)
        #expect(machine.next(now: 0) == [])
    }

    @Test("A destination without events has no waiting time")
    func idleRest() {
        var (machine, _) = Self.reading([Self.event(1, "a")])
        machine.answered(Self.event(1, "a"), .unavailable("503"), now: 0)
        #expect(machine.state.rest?.reason == "503")
        _ = machine.next(now: 10_000)
        _ = machine.loaded(.leftOut(1, .gone))
        #expect(machine.state == ForwardingMachine.State(rest: nil, waiting: 0, position: 1))
    }

    @Test("Of thousands of waiting users the user with the earliest time is next, with the oldest event")
    func waitingList() {
        var list = WaitingList([])
        var due: [(Int64, Int64)] = []
        for sequence in Int64(1)...4_000 {
            let dueAt = sequence * 7_919 % 5_003
            var event = Self.waiting(sequence, "u\(sequence % 2_000)")
            event.dueAt = dueAt
            list.add(event)
            if sequence <= 2_000 { due.append((dueAt, sequence)) }
        }
        #expect(list.first(except: [])?.sequence == due.min { $0 < $1 }?.1)
        var seen: [Int64] = []
        while let next = list.first(except: []) {
            seen.append(next.sequence)
            list.remove(next.sequence)
        }
        #expect(Set(seen).count == 4_000)
        #expect(
            (1...2_000).allSatisfy { (first: Int64) in
                (seen.firstIndex(of: first) ?? 0) < (seen.firstIndex(of: first + 2_000) ?? 0)
            })
        #expect(list.count == 0)
    }

    @Test("Results that could not be written are written with the next results")
    func notes() {
        var (machine, _) = Self.reading([Self.event(1, "a"), Self.event(2, "b")])
        machine.answered(Self.event(1, "a"), .failed("500"), now: 0)
        guard let failed = machine.takeChanges() else {
            Issue.record("a failure is nothing to note")
            return
        }
        machine.takeBack(failed)
        machine.answered(Self.event(2, "b"), .accepted("200"), now: 0)
        let both = machine.takeChanges()
        #expect(both?.position == 2)
        #expect(both?.delivered == 1)
        #expect(both?.kept.keys.sorted() == [1])
    }

    @Test("After an orderly stop no event is sent twice")
    func stop() {
        var (machine, sent) = Self.reading([Self.event(1, "a"), Self.event(2, "a"), Self.event(3, "b")])
        #expect(sent == [1, 3])
        machine.answered(Self.event(3, "b"), .accepted("200"), now: 0)
        machine.stop()
        #expect(machine.next(now: 0) == [])
        #expect(!machine.isQuiet)
        machine.answered(Self.event(1, "a"), .accepted("200"), now: 0)
        #expect(machine.isQuiet)
        machine.putAway()
        let changes = machine.takeChanges()
        #expect(changes?.position == 3)
        #expect(changes?.kept.keys.sorted() == [2])
        #expect(changes?.delivered == 2)
    }

    @Test("Finished events behind the position are not sent again")
    func noted() {
        var machine = ForwardingMachine(
            position: 1, waiting: [Self.waiting(3, "b")], noted: [3, 4], random: { 0 })
        #expect(machine.next(now: 0) == [.load(3), .read(after: 1)])
        machine.take(
            [Self.event(2, "a"), Self.event(3, "b"), Self.event(4, "c"), Self.event(5, "c")].map { .event($0) },
            through: 5, isLast: true)
        #expect(Self.sent(machine.next(now: 0)) == [2, 5])
    }

    /// A store, a destination that fails at random, and a server that dies at random and goes on from what it noted.
    @Test("Every event arrives in the order of its user, however often the server dies", arguments: 1...25)
    func model(seed: Int) {
        var chance = Chance(seed: UInt64(seed))
        let users = ["a", "b", "c", "d"]
        let events = (1...Int64(60)).map { Self.event($0, users[Int(chance.next() % 4)]) }
        let poison = Int64(chance.next() % 60 + 1)
        var (position, table): (Int64, [Int64: Undelivered]) = (0, [:])
        var (arrived, firstOf): (Set<Int64>, [ForwardedEvent.Partition: [Int64]]) = ([], [:])
        var (now, turns): (Int64, Int) = (0, 0)
        func note(_ machine: inout ForwardingMachine) {
            guard let changes = machine.takeChanges() else { return }
            position = changes.position
            for sequence in changes.removed { table[sequence] = nil }
            for event in changes.kept.values { table[event.sequence] = event }
        }
        while arrived.count < 59 || table.values.contains(where: { $0.deadAt == nil }), turns < 5_000 {
            turns += 1
            var machine = Self.machine(
                position: position, waiting: table.values.filter { $0.deadAt == nil }, parallel: 3,
                noted: Set(table.keys.filter { $0 > position }))
            var todo = machine.next(now: now)
            var steps = chance.next() % 40
            while steps > 0 {
                steps -= 1
                now += Int64(chance.next() % 4_000)
                guard !todo.isEmpty else {
                    todo = machine.next(now: now)
                    if chance.next() % 3 == 0 { note(&machine) }
                    continue
                }
                switch todo.remove(at: Int(chance.next() % UInt64(todo.count))) {
                case .read(let after):
                    let page = events.filter { $0.sequence > after }.prefix(7)
                    machine.take(
                        page.map { .event($0) }, through: page.last?.sequence ?? 60, isLast: page.count < 7)
                case .load(let sequence): todo += machine.loaded(.event(events[Int(sequence) - 1]))
                case .send(let event):
                    if event.sequence == poison {
                        machine.answered(event, .refused("400"), now: now)
                    } else if chance.next() % 3 == 0 {
                        machine.answered(event, chance.next() % 2 == 0 ? .failed("500") : .unavailable("503"), now: now)
                    } else {
                        if arrived.insert(event.sequence).inserted {
                            firstOf[event.partition, default: []].append(event.sequence)
                        }
                        machine.answered(event, .accepted("200"), now: now)
                    }
                }
                todo += machine.next(now: now)
            }
        }
        #expect(arrived == Set(1...60).subtracting([poison]))
        for sequences in firstOf.values { #expect(sequences == sequences.sorted()) }
        #expect(table.values.filter { $0.deadAt != nil }.map(\.sequence) == [poison])
    }

    // MARK: Roll-outs

    /// An event of a user with this digest: of the numbers up to 99, those below 50 are in a share of 50 %.
    private static func event(_ sequence: Int64, digest: UInt8) -> ForwardedEvent {
        ForwardedEvent(
            sequence: sequence, messageId: "m-\(sequence)",
            partition: .init(digest: Data([0, 0, 0, 0, 0, 0, 0, digest])), body: [])
    }

    @Test("The first attempts of an event count for the settings that sent it, and no further ones")
    func tries() {
        var machine = ForwardingMachine(
            position: 0, parallel: 8, share: PartitionShare(percentage: 50), random: { 0 })
        _ = machine.next(now: 0)
        let events = (1...6).map { Self.event(Int64($0), digest: $0 <= 3 ? UInt8($0) : 60 + UInt8($0)) }
        machine.take(events.map { .event($0) }, through: 6, isLast: true)
        #expect(Self.sent(machine.next(now: 0)) == [1, 2, 3, 4, 5, 6])
        machine.answered(events[0], .accepted("200"), now: 0)
        machine.answered(events[1], .refused("400"), now: 0)
        machine.answered(events[2], .failed("500"), now: 0)
        machine.answered(events[3], .accepted("200"), now: 0)
        machine.answered(events[4], .accepted("200"), now: 0)
        // The service as a whole takes nothing, which says nothing about settings.
        machine.answered(events[5], .unavailable("503"), now: 0)
        #expect(
            machine.takeChanges()?.tries
                == FunctionTries(new: .init(accepted: 1, refused: 2), before: .init(accepted: 2)))
        let later: Int64 = 3_600_000
        _ = machine.next(now: later)
        machine.answered(events[2], .accepted("200"), now: later)
        #expect(machine.takeChanges()?.tries == FunctionTries())
    }

    @Test("Attempts while the destination rests do not count, and none counts without a roll-out")
    func restingTries() {
        var (machine, _) = Self.reading([Self.event(1, "a")])
        machine.answered(Self.event(1, "a"), .refused("400"), now: 0)
        #expect(machine.takeChanges()?.tries == FunctionTries())
        machine = ForwardingMachine(position: 0, parallel: 8, share: PartitionShare(percentage: 100), random: { 0 })
        _ = machine.next(now: 0)
        machine.take((1...2).map { .event(Self.event($0, digest: UInt8($0))) }, through: 2, isLast: true)
        _ = machine.next(now: 0)
        machine.answered(Self.event(1, digest: 1), .unavailable("503"), now: 0)
        machine.answered(Self.event(2, digest: 2), .failed("no answer"), now: 0)
        #expect(machine.takeChanges()?.tries == FunctionTries())
    }
}

/// Numbers that follow from a seed.
private struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
