import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("A partition's owner stores every record once") struct PartitionMachineTests {
    private static let log = LogRange(incarnation: "log", first: 1, last: 9)

    /// A machine that owns a partition and knows the stored records.
    private func owner(of place: PartitionLease) -> PartitionMachine {
        var machine = PartitionMachine(owner: "me", now: 0)
        var taken = place
        taken.owner = "me"
        _ = machine.handle(.found(place, revision: 7), now: 0, wallTime: 0)
        #expect(
            machine.handle(.found(place, revision: 7), now: 4_000, wallTime: 0) == [.set(taken, ifRevision: 7)])
        #expect(machine.handle(.set(revision: 8), now: 4_010, wallTime: 0) == [.stand])
        #expect(machine.handle(.standing(Self.log), now: 4_020, wallTime: 0) == [.prepare(taken)])
        return machine
    }

    private let place = PartitionLease(owner: "you", incarnation: "log", through: 3)

    @Test("A partition changes its owner only after its record has not changed for a while") func takeover() {
        var machine = PartitionMachine(owner: "me", now: 0)
        #expect(machine.first == [.find])
        #expect(machine.handle(.found(place, revision: 7), now: 0, wallTime: 0) == [.wait(1_000)])
        #expect(machine.handle(.tick, now: 1_000, wallTime: 0) == [.find])
        #expect(machine.handle(.found(place, revision: 8), now: 1_000, wallTime: 0) == [.wait(1_000)])
        #expect(machine.handle(.found(place, revision: 8), now: 4_500, wallTime: 0) == [.wait(500)])
        #expect(machine.owned == nil)
        var taken = place
        taken.owner = "me"
        #expect(machine.handle(.found(place, revision: 8), now: 5_000, wallTime: 0) == [.set(taken, ifRevision: 8)])
        #expect(machine.handle(.refused, now: 5_001, wallTime: 0) == [.wait(1_000)])
        #expect(machine.owned == nil)
    }

    @Test("A partition that its owner has let go is taken over at once") func release() {
        var machine = owner(of: place)
        var released = place
        released.owner = ""
        #expect(machine.release == .set(released, ifRevision: 8))
        // While a change is on its way, nobody knows the revision.
        _ = machine.handle(.tick, now: 9_000, wallTime: 0)
        #expect(machine.release == nil)

        machine = PartitionMachine(owner: "me", now: 0)
        #expect(machine.release == nil)
        var taken = place
        taken.owner = "me"
        #expect(machine.handle(.found(released, revision: 9), now: 1, wallTime: 0) == [.set(taken, ifRevision: 9)])
    }

    @Test("An owner with too many partitions lets one go between two ranges") func letGo() {
        var machine = owner(of: place)
        var own = place
        own.owner = "me"
        _ = machine.handle(.prepared(own), now: 4_030, wallTime: 0)
        var released = own
        released.owner = ""
        #expect(machine.handle(.letGo, now: 4_040, wallTime: 0) == [.set(released, ifRevision: 8)])
        #expect(machine.owned == nil)
        #expect(machine.handle(.set(revision: 9), now: 4_050, wallTime: 0) == [.wait(1_000)])
    }

    @Test("A partition without a record begins with the present log") func founding() {
        var machine = PartitionMachine(owner: "me", now: 0)
        #expect(machine.handle(.found(nil, revision: 0), now: 0, wallTime: 0) == [.stand])
        let founded = PartitionLease(owner: "me", incarnation: "log")
        #expect(machine.handle(.standing(Self.log), now: 0, wallTime: 0) == [.set(founded, ifRevision: 0)])
    }

    @Test("Records are announced, then stored, then confirmed") func announcement() {
        var machine = owner(of: place)
        var own = place
        own.owner = "me"
        #expect(machine.handle(.prepared(own), now: 4_030, wallTime: 0) == [.look])
        #expect(!machine.needsTurn)
        #expect(machine.handle(.standing(Self.log), now: 4_032, wallTime: 0) == [.takeTurn])
        #expect(machine.handle(.turn, now: 4_034, wallTime: 0) == [.read(from: 4)])
        var announced = own
        let range = PartitionLease.RecordRange(to: 6, storedAt: 77, next: 79)
        (announced.next, announced.announced) = (77, range)
        #expect(
            machine.handle(.read(through: 6, rows: 65), now: 4_040, wallTime: 77) == [.set(announced, ifRevision: 8)])
        #expect(machine.handle(.set(revision: 9), now: 4_050, wallTime: 0) == [.store(from: 4, range)])
        var confirmed = own
        (confirmed.through, confirmed.next) = (6, 79)
        #expect(machine.handle(.stored(range), now: 4_060, wallTime: 0) == [.set(confirmed, ifRevision: 9)])
        #expect(!machine.needsTurn)
        #expect(machine.handle(.set(revision: 10), now: 4_070, wallTime: 0) == [.look])
        #expect(machine.owned == confirmed)
        #expect(machine.repeated == 0)

        // The clock has not come as far as the times of the block.
        _ = machine.handle(.standing(Self.log), now: 4_072, wallTime: 0)
        #expect(machine.handle(.turn, now: 4_074, wallTime: 0) == [.read(from: 7)])
        #expect(machine.needsTurn)
        var next = confirmed
        next.announced = PartitionLease.RecordRange(to: 8, storedAt: 79, next: 80)
        #expect(
            machine.handle(.read(through: 8, rows: 2), now: 4_080, wallTime: 78) == [.set(next, ifRevision: 10)])
    }

    @Test("An idle owner confirms that nothing came until now, and never takes that back")
    func idle() {
        var machine = owner(of: place)
        var own = place
        own.owner = "me"
        _ = machine.handle(.prepared(own), now: 4_030, wallTime: 0)
        own.next = 500
        let empty = LogRange(incarnation: "log", first: 4, last: 3)
        #expect(machine.handle(.standing(empty), now: 4_040, wallTime: 40) == [.wait(200)])
        #expect(machine.handle(.tick, now: 5_100, wallTime: 490) == [.look])
        #expect(machine.handle(.standing(empty), now: 5_100, wallTime: 500) == [.set(own, ifRevision: 8)])
        #expect(machine.handle(.set(revision: 9), now: 5_110, wallTime: 510) == [.look])
        #expect(machine.owned == own)
        // The clock of the node was set back.
        #expect(machine.handle(.standing(empty), now: 6_300, wallTime: 100) == [.set(own, ifRevision: 9)])
    }

    @Test("A new owner first repeats the announced records with the announced time") func repetition() {
        var announced = place
        announced.announced = PartitionLease.RecordRange(to: 5, storedAt: 42, next: 43)
        var machine = owner(of: announced)
        announced.owner = "me"
        #expect(
            machine.handle(.prepared(announced), now: 4_030, wallTime: 99)
                == [.store(from: 4, PartitionLease.RecordRange(to: 5, storedAt: 42, next: 43))])
        #expect(machine.repeated == 1)
    }

    @Test("An owner that stores for a long time renews its record, and stops after another owner took over")
    func renewal() {
        var announced = place
        let range = PartitionLease.RecordRange(to: 5, storedAt: 42, next: 43)
        announced.announced = range
        var machine = owner(of: announced)
        announced.owner = "me"
        _ = machine.handle(.prepared(announced), now: 4_030, wallTime: 0)
        #expect(machine.handle(.tick, now: 4_500, wallTime: 0) == [])
        #expect(machine.handle(.tick, now: 5_100, wallTime: 0) == [.set(announced, ifRevision: 8)])
        // The store answers before the answer to the change comes.
        #expect(machine.handle(.stored(range), now: 5_110, wallTime: 0) == [])
        var confirmed = announced
        (confirmed.through, confirmed.next, confirmed.announced) = (5, 43, nil)
        #expect(machine.handle(.set(revision: 9), now: 5_120, wallTime: 0) == [.set(confirmed, ifRevision: 9)])

        machine = owner(of: place)
        #expect(machine.handle(.tick, now: 5_100, wallTime: 0).count == 1)
        #expect(machine.handle(.refused, now: 5_110, wallTime: 0) == [.abandon, .wait(1_000)])
        #expect(machine.owned == nil)
    }

    @Test("An owner that waits for scripts renews its record, and announces what they made")
    func scripts() {
        var (machine, own) = reader()
        #expect(machine.handle(.tick, now: 5_100, wallTime: 900) == [.set(own, ifRevision: 8)])
        // The scripts are ready before the answer to the change comes.
        let made = MadeEvents(text: "0.1x2")
        #expect(machine.handle(.read(through: 6, rows: 4, made: made), now: 5_105, wallTime: 900) == [])
        var announced = own
        let range = PartitionLease.RecordRange(to: 6, storedAt: 900, next: 901, made: made)
        (announced.next, announced.announced) = (900, range)
        #expect(machine.handle(.set(revision: 9), now: 5_110, wallTime: 900) == [.set(announced, ifRevision: 9)])
        #expect(machine.handle(.set(revision: 10), now: 5_120, wallTime: 900) == [.store(from: 4, range)])

        (machine, own) = reader()
        _ = machine.handle(.tick, now: 5_100, wallTime: 900)
        #expect(machine.handle(.refused, now: 5_110, wallTime: 900) == [.abandon, .wait(1_000)])
        #expect(machine.owned == nil)
    }

    @Test("A partition that waits for its turn renews its record, and reads all that came meanwhile") func turn() {
        var (machine, own) = queuer()
        #expect(machine.handle(.tick, now: 5_100, wallTime: 900) == [.set(own, ifRevision: 8)])
        // The turn comes before the answer to the change.
        #expect(machine.handle(.turn, now: 5_110, wallTime: 900) == [])
        #expect(machine.needsTurn)
        #expect(machine.handle(.set(revision: 9), now: 5_120, wallTime: 900) == [.read(from: 4)])
        // Another server of the log had said that there is something.
        #expect(machine.handle(.read(through: nil, rows: 0), now: 5_130, wallTime: 900) == [.wait(200)])
        #expect(!machine.needsTurn)

        (machine, own) = queuer()
        _ = machine.handle(.tick, now: 5_100, wallTime: 900)
        #expect(machine.handle(.refused, now: 5_110, wallTime: 900) == [.abandon, .wait(1_000)])
        #expect(!machine.needsTurn)
    }

    @Test(
        "A look that does not fit the record is compared with it, as a read that does not",
        arguments: [
            LogRange(incarnation: "log", first: 1, last: 2), LogRange(incarnation: "another", first: 1, last: 9),
            LogRange(incarnation: "log", first: 6, last: 9),
        ])
    func misfittingLook(_ standing: LogRange) {
        var machine = owner(of: place)
        var own = place
        own.owner = "me"
        _ = machine.handle(.prepared(own), now: 4_030, wallTime: 0)
        #expect(machine.handle(.standing(standing), now: 4_040, wallTime: 0) == [.stand])
        #expect(machine.owned == own)
    }

    /// A machine that knows of records behind `place`, and waits for its turn.
    private func queuer() -> (machine: PartitionMachine, own: PartitionLease) {
        var machine = owner(of: place)
        var own = place
        own.owner = "me"
        _ = machine.handle(.prepared(own), now: 4_030, wallTime: 0)
        _ = machine.handle(.standing(Self.log), now: 4_032, wallTime: 0)
        return (machine, own)
    }

    /// A machine that reads behind `place`.
    private func reader() -> (machine: PartitionMachine, own: PartitionLease) {
        var (machine, own) = queuer()
        _ = machine.handle(.turn, now: 4_034, wallTime: 0)
        return (machine, own)
    }

    @Test(
        "A log that went back raises an alarm, and is read from its beginning in a new epoch",
        arguments: [
            LogRange(incarnation: "log", first: 1, last: 2), LogRange(incarnation: "another", first: 1, last: 9),
        ])
    func wentBack(_ standing: LogRange) {
        var (machine, own) = reader()
        #expect(machine.handle(.misfits, now: 5_000, wallTime: 0) == [.stand])
        var (now, revision) = (5_000 as Int64, 8 as UInt64)
        // It is not believed at once, and the partition stays owned meanwhile.
        for _ in 1..<PartitionMachine.looks {
            #expect(machine.handle(.standing(standing), now: now, wallTime: 7) == [.wait(1_000)])
            now += 1_000
            #expect(machine.handle(.tick, now: now, wallTime: 7) == [.set(own, ifRevision: revision)])
            revision += 1
            #expect(machine.handle(.set(revision: revision), now: now, wallTime: 7) == [.stand])
        }
        let restarted = PartitionLease(owner: "me", epoch: 1, incarnation: standing.incarnation, through: 0, next: 7)
        #expect(
            machine.handle(.standing(standing), now: now, wallTime: 7) == [.set(restarted, ifRevision: revision)])
        #expect(
            machine.handle(.set(revision: revision + 1), now: now, wallTime: 0)
                == [.alarm(.wentBack(place: own, standing: standing)), .prepare(restarted)])
    }

    @Test("A server with an old answer raises no alarm when its next answer is current") func oldStanding() {
        var (machine, own) = reader()
        #expect(machine.handle(.misfits, now: 4_040, wallTime: 0) == [.stand])
        let old = LogRange(incarnation: "log", first: 1, last: 2)
        #expect(machine.handle(.standing(old), now: 4_050, wallTime: 7) == [.wait(1_000)])
        #expect(machine.handle(.tick, now: 4_060, wallTime: 7) == [.stand])
        #expect(machine.handle(.standing(Self.log), now: 4_070, wallTime: 7) == [.prepare(own)])
    }

    @Test(
        "When an old record of a partition comes back, it goes on at the log's beginning, in its epoch, with an alarm")
    func hole() {
        var (machine, own) = reader()
        #expect(machine.handle(.misfits, now: 4_040, wallTime: 0) == [.stand])
        let later = LogRange(incarnation: "log", first: 6, last: 9)
        var place = own
        (place.through, place.next) = (5, 70)
        #expect(machine.handle(.standing(later), now: 4_050, wallTime: 70) == [.set(place, ifRevision: 8)])
        var other = machine
        #expect(
            machine.handle(.set(revision: 9), now: 4_060, wallTime: 70)
                == [.alarm(.placeWentBack(place: own, standing: later)), .prepare(place)])
        // An owner that was replaced while it was stopped finds out, and nobody is alarmed.
        #expect(other.handle(.refused, now: 4_060, wallTime: 70) == [.wait(1_000)])
    }

    @Test("Nothing is lost, doubled or out of order while processes are killed and stopped") func simulation() {
        var (takeovers, repeated, releases) = (0, 0, 0)
        for seed in 0..<150 as Range<UInt64> {
            var simulation = PartitionSimulation(seed: seed)
            simulation.run()
            #expect(simulation.violations.isEmpty, "seed \(seed)")
            #expect(simulation.stored == Array(1...simulation.last), "seed \(seed)")
            #expect(simulation.alarms.isEmpty, "seed \(seed)")
            takeovers += simulation.takeovers
            repeated += simulation.repeatedBlocks
            releases += simulation.releases
        }
        // The simulation has to reach the cases that it is made for.
        #expect(takeovers > 500)
        #expect(repeated > 50)
        #expect(releases > 50)
    }

    @Test("The simulation finds a planted mistake", arguments: PartitionSimulation.Fault.allCases)
    func plantedFaults(_ fault: PartitionSimulation.Fault) {
        let found = (0..<40 as Range<UInt64>).contains { seed in
            var simulation = PartitionSimulation(seed: seed, fault: fault)
            simulation.run()
            return !simulation.violations.isEmpty || simulation.stored != Array(1...simulation.last)
        }
        #expect(found)
    }

    @Test("A lost log is noticed in every case, and the new log is stored from its beginning")
    func lostLog() {
        for seed in 0..<40 as Range<UInt64> {
            var simulation = PartitionSimulation(seed: seed)
            simulation.run(milliseconds: 30_000)
            let before = simulation.stored.count
            simulation.loseLog()
            simulation.append(3)
            simulation.run(milliseconds: 31_000)
            #expect(simulation.alarms.count >= 1, "seed \(seed)")
            #expect(Array(simulation.stored[before...]) == Array(1...simulation.last), "seed \(seed)")
            #expect(simulation.record?.place.epoch ?? 0 >= 1, "seed \(seed)")
        }
    }
}
