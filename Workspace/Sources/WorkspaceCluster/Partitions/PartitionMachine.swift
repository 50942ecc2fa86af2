import WorkspaceCore
import WorkspaceServer

/// Decides how one process takes part in one partition: when it takes over, what it stores, and when it gives up.
///
/// A value: it takes inputs and gives actions. Each action but `alarm` and `abandon` is answered by one input. While `prepare`,
/// `takeTurn`, `read` or `store` is being done, `tick` comes in between, about once in a pulse. Times are milliseconds of a clock of the process
/// that never goes back.
///
/// Two rules make the store exact:
/// - A range is announced before it is stored, and a new owner first repeats the announced range. The same records
///   make the same block, and the store takes a block once.
/// - Every change of the record is a compare-and-set. An owner that was replaced fails at its next change. Until then
///   it can at worst repeat a block.
///
/// A process stores one range at a time, and reads it when the partition's turn has come. So the range includes the
/// records that arrived while the partition waited, and the store gets few large blocks.
package struct PartitionMachine: Sendable {
    package enum Input: Sendable, Equatable {
        /// The time of a `wait` has passed, or a pulse during longer work.
        case tick
        /// The record of the partition and its revision; nil when there is none.
        case found(PartitionLease?, revision: UInt64)
        /// The record was changed.
        case set(revision: UInt64)
        /// Another process had changed the record before.
        case refused
        /// The first and the last record of the log.
        case standing(LogRange)
        /// The index is complete up to that place.
        case prepared(PartitionLease)
        /// It is this partition's turn to store.
        case turn
        /// Records were read up to that place; nil when there was none. They make at most so many rows. When some of them
        /// went through scripts, with the events that these made.
        case read(through: UInt64?, rows: Int, made: MadeEvents? = nil)
        /// A range is in the store.
        case stored(PartitionLease.RecordRange)
        /// The log ends before the place, or begins after the record that follows the place.
        case misfits
        /// Other processes are to have the partition.
        case letGo
        /// An action failed this time.
        case failed
    }

    package enum Action: Sendable, Equatable {
        /// Read the record.
        case find
        /// Change the record.
        case set(PartitionLease, ifRevision: UInt64)
        /// Ask the log for its first and last record.
        case stand
        /// Fill the index from the store up to a place.
        case prepare(PartitionLease)
        /// Ask the log for its first and last record. The answer is `letGo` when other processes are to have the
        /// partition.
        case look
        /// Wait for the partition's turn to store.
        case takeTurn
        /// Read the records from the place on, and take them through scripts.
        case read(from: UInt64)
        /// Read all announced records, make the block, and try to store it until that succeeds.
        case store(from: UInt64, PartitionLease.RecordRange)
        /// Stop preparing or storing: another process may own the partition.
        case abandon
        /// Report something that a person has to look at.
        case alarm(LogAlarm)
        /// Send `tick` after that many milliseconds.
        case wait(Int64)
    }

    package enum LogAlarm: Sendable, Equatable {
        /// The log ends before the last stored record, or it is a different log. The partition goes on with a new epoch
        /// from the log's beginning.
        case wentBack(place: PartitionLease, standing: LogRange)
        /// The log begins after the record that follows the place, so an old copy of the partition's record came back.
        /// A log only loses records that are stored. So the partition goes on at the log's beginning, and the index
        /// recognises stored events.
        case placeWentBack(place: PartitionLease, standing: LogRange)
    }

    private enum Phase: Sendable, Equatable {
        /// Another process may own the partition; the revision that was seen last, and since when.
        case watching(revision: UInt64?, since: Int64)
        /// The partition has no record yet. The log is asked for its identity.
        case founding
        /// The record is being taken.
        case taking(PartitionLease)
        /// The process owns the partition and compares the log with the record. The log seemed to have gone back in so
        /// many comparisons before.
        case comparing(looks: Int)
        case restarting(PartitionLease, LogAlarm)
        case preparing
        /// Every record that the process has seen is stored.
        case looking
        /// The partition has records to store and waits for its turn.
        case queuing
        case reading
        case announcing(PartitionLease)
        case storing(PartitionLease.RecordRange)
        case confirming(PartitionLease)
        /// The partition is being let go.
        case releasing
    }

    /// The name of this process. Another start of it has another one.
    private let owner: String
    /// For how long a revision has to stay the same before this process takes the partition over.
    private let patience: Int64
    /// How often an owner changes the record to show that it lives.
    private let pulse: Int64
    private var phase: Phase
    private var place = PartitionLease(owner: "", incarnation: "")
    private var revision: UInt64 = 0
    private var changedAt: Int64 = 0
    /// The record that the owner has just written to show that it lives. It waits for the answer.
    private var renewal: PartitionLease?
    /// Whether preparing or storing ended while such a change waited for its answer.
    private var isDone = false
    /// The answer to reading that came meanwhile.
    private var wasRead: Input?
    /// How often this process began to repeat a range that an earlier owner had announced and not confirmed.
    package private(set) var repeated = 0

    /// - Parameter now: the time of the beginning.
    package init(owner: String, patience: Int64 = 4_000, pulse: Int64 = 1_000, now: Int64) {
        (self.owner, self.patience, self.pulse) = (owner, patience, pulse)
        phase = .watching(revision: nil, since: now)
    }

    /// The partition's record, when this process owns the partition as far as it knows.
    package var owned: PartitionLease? {
        switch phase {
        case .watching, .founding, .taking, .releasing: nil
        default: place
        }
    }

    /// The action that lets another process take the partition at once, when this process ends.
    package var release: Action? {
        guard let owned, renewal == nil else { return nil }
        switch phase {
        case .comparing, .preparing, .looking, .queuing, .reading, .storing:
            var released = owned
            released.owner = ""
            return .set(released, ifRevision: revision)
        case .watching, .founding, .taking, .restarting, .announcing, .confirming, .releasing: return nil
        }
    }

    /// Whether the partition has its turn to store, or waits for it. The turn ends when this is false.
    package var needsTurn: Bool {
        switch phase {
        case .queuing, .reading, .announcing, .storing: true
        case .watching, .founding, .taking, .comparing, .restarting, .preparing, .looking, .confirming, .releasing:
            false
        }
    }

    /// The actions at the beginning.
    package var first: [Action] { [.find] }

    /// - Parameter wallTime: the time that is announced with a range, in milliseconds since 1970.
    package mutating func handle(_ input: Input, now: Int64, wallTime: Int64) -> [Action] {
        if let renewal { return renewed(renewal, input, now, wallTime) }
        switch phase {
        case .watching(let seen, let since): return watch(seen, since, input, now)
        case .founding:
            guard case .standing(let standing) = input else { return watchAgain(now) }
            return take(PartitionLease(owner: owner, incarnation: standing.incarnation), ifRevision: 0)
        case .taking(let taken):
            guard case .set(let revision) = input else { return watchAgain(now) }
            (place, self.revision, changedAt, phase) = (taken, revision, now, .comparing(looks: 0))
            return [.stand]
        case .comparing(let looks): return compare(looks, input, now, wallTime)
        case .restarting(let restarted, let alarm):
            // Another process may have taken the partition and changed its record.
            guard case .set(let revision) = input else { return watchAgain(now) }
            (place, self.revision, changedAt, phase) = (restarted, revision, now, .preparing)
            return [.alarm(alarm), .prepare(place)]
        case .preparing:
            switch input {
            case .prepared(place): return goOn()
            case .prepared: return []
            case .tick: return renewIfDue(now, wallTime)
            default: return [.abandon] + watchAgain(now)
            }
        case .looking: return look(input, now, wallTime)
        case .queuing:
            switch input {
            case .turn: return readInTurn()
            case .tick: return renewIfDue(now, wallTime)
            default: return [.abandon] + watchAgain(now)
            }
        case .reading: return read(input, now, wallTime)
        case .announcing(let announced):
            guard case .set(let revision) = input, let range = announced.announced else { return watchAgain(now) }
            (place, self.revision, changedAt, phase) = (announced, revision, now, .storing(range))
            return [.store(from: place.through + 1, range)]
        case .storing(let range):
            switch input {
            case .stored(range): return confirm(range)
            case .stored: return []
            case .tick: return renewIfDue(now, wallTime)
            case .misfits: return compareAgain()
            default: return [.abandon] + watchAgain(now)
            }
        case .confirming(let confirmed):
            guard case .set(let revision) = input else { return watchAgain(now) }
            (place, self.revision, changedAt) = (confirmed, revision, now)
            return goOn()
        case .releasing: return watchAgain(now)
        }
    }

    // MARK: Taking over

    private mutating func watch(_ seen: UInt64?, _ since: Int64, _ input: Input, _ now: Int64) -> [Action] {
        guard case .found(let found, let revision) = input else {
            return input == .tick ? [.find] : [.wait(pulse)]
        }
        guard let found else {
            phase = .founding
            return [.stand]
        }
        guard revision == seen || found.owner.isEmpty else {
            phase = .watching(revision: revision, since: now)
            return [.wait(pulse)]
        }
        guard found.owner.isEmpty || now - since >= patience else {
            return [.wait(min(pulse, patience - (now - since)))]
        }
        var taken = found
        taken.owner = owner
        return take(taken, ifRevision: revision)
    }

    private mutating func take(_ taken: PartitionLease, ifRevision revision: UInt64) -> [Action] {
        phase = .taking(taken)
        return [.set(taken, ifRevision: revision)]
    }

    /// Another process may have the partition, or the change was made and only its answer was lost.
    private mutating func watchAgain(_ now: Int64) -> [Action] {
        (phase, renewal, isDone, wasRead) = (.watching(revision: nil, since: now), nil, false, nil)
        return [.wait(pulse)]
    }

    /// The log must be the one that the record names, reach to the record's place, and have the record after it.
    private mutating func compare(_ looks: Int, _ input: Input, _ now: Int64, _ wallTime: Int64) -> [Action] {
        if input == .tick {
            let renewal = renewIfDue(now, wallTime)
            return renewal.isEmpty ? [.stand] : renewal
        }
        guard case .standing(let standing) = input else { return watchAgain(now) }
        let known = place.announced?.to ?? place.through
        guard standing.incarnation == place.incarnation, standing.last >= known else {
            // A server that was cut off, or has just been started, may give an old answer.
            phase = .comparing(looks: looks + 1)
            return looks + 1 < Self.looks ? [.wait(pulse)] : restart(standing, wallTime)
        }
        guard standing.first > place.through + 1 else {
            phase = .preparing
            return [.prepare(place)]
        }
        return goOnBehindHole(standing, wallTime)
    }

    private mutating func restart(_ standing: LogRange, _ wallTime: Int64) -> [Action] {
        let restarted = PartitionLease(
            owner: owner, epoch: place.epoch + 1, incarnation: standing.incarnation, through: standing.first - 1,
            next: max(wallTime, place.announced?.next ?? place.next))
        phase = .restarting(restarted, .wentBack(place: place, standing: standing))
        return [.set(restarted, ifRevision: revision)]
    }

    /// The epoch stays, so that events without an id of their own get the same one as before.
    private mutating func goOnBehindHole(_ standing: LogRange, _ wallTime: Int64) -> [Action] {
        var later = place
        later.through = standing.first - 1
        later.next = max(wallTime, place.announced?.next ?? place.next)
        later.announced = nil
        phase = .restarting(later, .placeWentBack(place: place, standing: standing))
        return [.set(later, ifRevision: revision)]
    }

    // MARK: Storing

    /// An announced range is stored first.
    private mutating func goOn() -> [Action] {
        isDone = false
        guard let range = place.announced else {
            phase = .looking
            return [.look]
        }
        repeated += 1
        phase = .storing(range)
        return [.store(from: place.through + 1, range)]
    }

    private mutating func look(_ input: Input, _ now: Int64, _ wallTime: Int64) -> [Action] {
        switch input {
        case .standing(let standing):
            guard standing.incarnation == place.incarnation, standing.last >= place.through,
                standing.first <= place.through + 1
            else { return compareAgain() }
            guard standing.last > place.through else { return lookLater(now, wallTime) }
            phase = .queuing
            return [.takeTurn]
        case .failed: return lookLater(now, wallTime)
        case .tick: return [.look]
        case .letGo: return letGo(now)
        default: return watchAgain(now)
        }
    }

    private mutating func lookLater(_ now: Int64, _ wallTime: Int64) -> [Action] {
        phase = .looking
        let renewal = renewIfDue(now, wallTime)
        return renewal.isEmpty ? [.wait(Self.pause)] : renewal
    }

    private mutating func readInTurn() -> [Action] {
        (phase, isDone, wasRead) = (.reading, false, nil)
        return [.read(from: place.through + 1)]
    }

    private mutating func letGo(_ now: Int64) -> [Action] {
        guard let release else { return watchAgain(now) }
        phase = .releasing
        return [release]
    }

    private mutating func compareAgain() -> [Action] {
        phase = .comparing(looks: 0)
        return [.stand]
    }

    private mutating func read(_ input: Input, _ now: Int64, _ wallTime: Int64) -> [Action] {
        switch input {
        case .read(let through?, let rows, let made) where through > place.through:
            var announced = place
            announced.next = max(wallTime, place.next)
            announced.announced = PartitionLease.RecordRange(
                to: through, storedAt: announced.next,
                next: ClusterNumber.next(after: announced.next, rows: max(1, rows)), made: made)
            phase = .announcing(announced)
            return [.set(announced, ifRevision: revision)]
        // The server of the log that announced new records may have been another one.
        case .read, .failed: return lookLater(now, wallTime)
        case .tick: return renewIfDue(now, wallTime)
        case .letGo: return letGo(now)
        case .misfits: return compareAgain()
        default: return [.abandon] + watchAgain(now)
        }
    }

    private mutating func confirm(_ range: PartitionLease.RecordRange) -> [Action] {
        var confirmed = place
        (confirmed.through, confirmed.next, confirmed.announced) = (range.to, range.next, nil)
        phase = .confirming(confirmed)
        return [.set(confirmed, ifRevision: revision)]
    }

    // MARK: Showing that the owner lives

    /// While nothing is announced, the change also records that no record came until now.
    private mutating func renewIfDue(_ now: Int64, _ wallTime: Int64) -> [Action] {
        guard now - changedAt >= pulse else { return [] }
        var renewed = place
        if phase == .looking { renewed.next = max(place.next, wallTime) }
        renewal = renewed
        return [.set(renewed, ifRevision: revision)]
    }

    /// While such a change waits for its answer, only two inputs matter: that answer, and the end of preparing, reading or
    /// storing.
    private mutating func renewed(
        _ renewed: PartitionLease, _ input: Input, _ now: Int64, _ wallTime: Int64
    ) -> [Action] {
        switch (input, phase) {
        case (.set(let revision), _):
            (place, renewal, self.revision, changedAt) = (renewed, nil, revision, now)
            guard !isDone else { return goOnAfterRenewal() }
            if let read = wasRead {
                wasRead = nil
                return self.read(read, now, wallTime)
            }
            switch phase {
            case .looking: return [.look]
            case .comparing: return [.stand]
            default: return []
            }
        case (.stored(let stored), .storing(let range)):
            isDone = isDone || stored == range
            return []
        case (.prepared(let prepared), .preparing):
            isDone = isDone || prepared == place
            return []
        case (.turn, .queuing):
            isDone = true
            return []
        case (.read, .reading):
            wasRead = input
            return []
        case (.tick, _), (.stored, _), (.prepared, _), (.read, _): return []
        default: return (phase == .looking ? [] : [.abandon]) + watchAgain(now)
        }
    }

    private mutating func goOnAfterRenewal() -> [Action] {
        switch phase {
        case .storing(let range): return confirm(range)
        case .queuing: return readInTurn()
        default: return goOn()
        }
    }

    /// How often, once in each pulse, a log has to seem to have gone back before the owner believes it.
    static let looks = 10

    /// How long an owner waits when there is nothing new. Each look costs the log a request, and a cluster has many partitions.
    private static let pause: Int64 = 200
}
