package import WorkspaceCore

/// Decides what is sent to one destination, and when. A pure value: it takes inputs and returns actions.
///
/// New events come in pages, in the order of the store. A failed event goes to the waiting list, with all later events
/// of its user, and is tried again; events of other users go on. So the position in the store always moves, and only
/// the waiting list has to be remembered. When the destination itself seems to be at fault it rests: nothing is read,
/// and one event at a time tests whether it is back.
package struct ForwardingMachine: Sendable {
    package enum Action: Sendable, Equatable {
        /// Read the events after that number.
        case read(after: Int64)
        /// Read one event that waited, to send it.
        case load(Int64)
        case send(ForwardedEvent)
    }

    /// The state of an event behind the position.
    package enum Candidate: Sendable, Equatable {
        case event(ForwardedEvent)
        case leftOut(Int64, LeftOut)

        var sequence: Int64 {
            switch self {
            case .event(let event): event.sequence
            case .leftOut(let sequence, _): sequence
            }
        }
    }

    /// The state as the administration shows it.
    package struct State: Sendable, Equatable {
        let rest: DestinationRest?
        /// Events that are tried again, or wait behind one that is.
        package let waiting: Int
        /// Every event up to that number was tried or is in the waiting list.
        let position: Int64

        package init(rest: DestinationRest?, waiting: Int, position: Int64) {
            (self.rest, self.waiting, self.position) = (rest, waiting, position)
        }
    }

    let policy: ForwardingPolicy
    let parallel: Int
    /// The users of a roll-out of new settings: their attempts are counted apart. Nil while all users have the same settings.
    private let share: PartitionShare?
    let waitingLimit: Int
    private let random: @Sendable () -> Double

    /// Read and not sent yet, in order.
    private var fresh: [ForwardedEvent] = []
    /// On their way for the first time.
    private var firstAttempts: [Int64: ForwardedEvent] = [:]
    private var list: WaitingList
    /// Partitions of which an event from the waiting list is being loaded or sent.
    private var retries: [Int64: ForwardedEvent.Partition] = [:]
    private var busy: Set<ForwardedEvent.Partition> = []
    private var readThrough: Int64
    private var isReading = false
    /// After a failed read, nothing is read before this time.
    private var readAgainAt: Int64 = 0
    /// Whether there may be events behind `readThrough`.
    private var mayHaveMore = true
    private var haveComeMeanwhile = false
    private var failuresInARow = 0
    private var rests = 0
    private(set) var rest: DestinationRest?
    private var lastAcceptedAt: Int64?
    private var changes = ForwardingChanges()
    /// The position in the database, as far as is known.
    private var notedPosition: Int64?
    private(set) var isStopping = false
    /// Milliseconds after which results are written.
    private let notePause: Int64
    /// Finished events behind the position: a server that died had written them before earlier ones.
    private var noted: Set<Int64>

    init(
        position: Int64, waiting: [Undelivered] = [], noted: Set<Int64> = [],
        policy: ForwardingPolicy = ForwardingPolicy(), parallel: Int = 8, notePause: Int64 = Limits.forwardingPause,
        share: PartitionShare? = nil, waitingLimit: Int = Limits.undelivered,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        (self.policy, self.parallel, self.notePause, self.share) = (policy, parallel, notePause, share)
        (self.waitingLimit, self.random, self.noted) = (waitingLimit, random, noted)
        list = WaitingList(waiting)
        readThrough = position
        notedPosition = position
    }

    /// Whether nothing is under way.
    var isQuiet: Bool { firstAttempts.isEmpty && retries.isEmpty && !isReading }

    /// Whether the destination accepted the last request that it answered.
    var isTaking: Bool { lastAcceptedAt != nil && failuresInARow == 0 && rest == nil }

    /// When the next action is due, if there is no other input.
    func wakeTime(now: Int64) -> Int64? {
        guard !isStopping else { return nil }
        if let rest = restEnd(now: now) { return rest }
        let due = list.first(except: busy)?.dueAt
        return [due, mayHaveMore ? readAgainAt : nil].compactMap(\.self).filter { !isDue($0, now: now) }.min()
    }

    /// When the results should be written; nil when there are none. The position of reading may wait longer.
    func noteTime(now: Int64) -> Int64? {
        if !changes.isEmpty { return now + notePause }
        return position == notedPosition ? nil : now + max(notePause, Limits.positionPause)
    }

    /// The present state. Without events to send, nothing waits for the destination.
    var state: State {
        let isIdle = list.count == 0 && fresh.isEmpty && firstAttempts.isEmpty
        return State(rest: isIdle ? nil : rest, waiting: list.count, position: position)
    }

    /// The clock may have been set back, so no wait may be longer than the longest pause.
    private func isDue(_ time: Int64, now: Int64) -> Bool { time <= now || time > now + policy.pauses.longest }

    private func restEnd(now: Int64) -> Int64? {
        guard let end = rest?.until, end > now, end <= now + policy.longestToldRest else { return nil }
        return end
    }

    // MARK: Inputs

    /// There are new events. A page that is being read may be without them.
    mutating func eventsCame() {
        mayHaveMore = true
        haveComeMeanwhile = isReading
    }

    /// The result of `read`.
    /// - Parameter through: up to this number there are no other events.
    mutating func take(_ page: [Candidate], through: Int64, isLast: Bool) {
        isReading = false
        mayHaveMore = !isLast || haveComeMeanwhile
        haveComeMeanwhile = false
        for candidate in page where noted.remove(candidate.sequence) == nil {
            switch candidate {
            case .leftOut(let sequence, let reason): changes.leaveOut(sequence, reason)
            case .event(let event): fresh.append(event)
            }
        }
        readThrough = max(readThrough, through, page.last?.sequence ?? 0)
    }

    /// A read failed; it is repeated a little later.
    mutating func readFailed(now: Int64) {
        isReading = false
        readAgainAt = now + policy.pauses.first
    }

    /// Dead letters will be tried again.
    mutating func retry(_ letters: [Undelivered]) { for letter in letters { list.add(letter) } }

    /// The result of `load`. The event may be gone, or filters or consent now exclude it.
    /// - Returns: the actions for it.
    mutating func loaded(_ candidate: Candidate) -> [Action] {
        switch candidate {
        case .event(let event): return [.send(event)]
        case .leftOut(let sequence, let reason):
            endRetry(sequence)
            list.remove(sequence)
            changes.remove(sequence)
            changes.leaveOut(sequence, reason)
            return []
        }
    }

    /// An event of the waiting list could not be read now.
    mutating func loadFailed(_ sequence: Int64, now: Int64) {
        endRetry(sequence)
        list.change(sequence) { $0.dueAt = now + policy.pauses.first }
    }

    mutating func answered(_ event: ForwardedEvent, _ answer: ForwardingAnswer, now: Int64) {
        count(event, answer)
        switch answer {
        case .accepted: accepted(event, now: now)
        case .refused(let reason):
            isUp()
            giveUp(failed(event, reason, now: now), now: now)
        case .failed(let reason):
            failuresInARow += 1
            if failuresInARow >= policy.failuresInARow || rest != nil { takeRest(reason, nil, now: now) }
            postpone(failed(event, reason, now: now), now: now)
        case .unavailable(let reason, let pause):
            takeRest(reason, pause, now: now)
            postpone(failed(event, reason, now: now), now: now)
        }
        firstAttempts[event.sequence] = nil
        endRetry(event.sequence)
        busy.remove(event.partition)
    }

    /// Stops: nothing is begun from now on.
    mutating func stop() { isStopping = true }

    /// Moves events that were read and are not finished to the waiting list, so that finished events behind them are
    /// not sent again after the next start. A request that is under way is moved too, because its result is unknown.
    mutating func putAway() {
        isStopping = true
        for event in firstAttempts.values { wait(behind: event) }
        for event in fresh { wait(behind: event) }
        (firstAttempts, fresh) = ([:], [])
    }

    // MARK: Actions

    mutating func next(now: Int64) -> [Action] {
        guard !isStopping, restEnd(now: now) == nil else { return [] }
        // After a rest, one event tests the destination.
        let room = rest == nil ? parallel : 1
        var actions = startRetries(room, now: now)
        actions += startFirst(room)
        if fresh.count < parallel, mayHaveMore, !isReading, isDue(readAgainAt, now: now), list.count < waitingLimit,
            rest == nil || fresh.isEmpty
        {
            isReading = true
            actions.append(.read(after: readThrough))
        }
        return actions
    }

    private var underWay: Int { firstAttempts.count + retries.count }

    private mutating func startRetries(_ room: Int, now: Int64) -> [Action] {
        var actions: [Action] = []
        while underWay < room, let event = list.first(except: busy), isDue(event.dueAt, now: now) {
            retries[event.sequence] = event.partition
            busy.insert(event.partition)
            actions.append(.load(event.sequence))
        }
        return actions
    }

    private mutating func startFirst(_ room: Int) -> [Action] {
        var actions: [Action] = []
        var held: [ForwardedEvent] = []
        // Events of a partition stay in order, so an event behind one that waits has to wait too.
        var heldPartitions = busy.subtracting(retries.values)
        for (index, event) in fresh.enumerated() {
            guard underWay < room else {
                held += fresh[index...]
                break
            }
            if list.has(event.partition) {
                wait(behind: event)
            } else if heldPartitions.contains(event.partition) {
                held.append(event)
            } else {
                heldPartitions.insert(event.partition)
                busy.insert(event.partition)
                firstAttempts[event.sequence] = event
                actions.append(.send(event))
            }
        }
        fresh = held
        return actions
    }

    /// An event of the same partition waits already.
    private mutating func wait(behind event: ForwardedEvent) {
        let waiting = Undelivered(sequence: event.sequence, messageId: event.messageId, partition: event.partition)
        list.add(waiting)
        changes.keep(waiting)
    }

    // MARK: Results

    /// Counts a first attempt for a roll-out. While the destination rests, each attempt would fail, by both versions.
    private mutating func count(_ event: ForwardedEvent, _ answer: ForwardingAnswer) {
        guard let share, rest == nil, firstAttempts[event.sequence] != nil else { return }
        let count: FunctionTries.Count
        switch answer {
        case .accepted: count = FunctionTries.Count(accepted: 1)
        case .refused, .failed: count = FunctionTries.Count(refused: 1)
        case .unavailable: return
        }
        changes.tries += share.contains(event.partition) ? FunctionTries(new: count) : FunctionTries(before: count)
    }

    private mutating func accepted(_ event: ForwardedEvent, now: Int64) {
        isUp()
        lastAcceptedAt = now
        changes.delivered += 1
        changes.lastDeliveredAt = now
        if list.remove(event.sequence) != nil { changes.remove(event.sequence) }
    }

    private mutating func isUp() {
        failuresInARow = 0
        rests = 0
        rest = nil
    }

    private mutating func takeRest(_ reason: String, _ pause: Int64?, now: Int64) {
        // Several requests that were under way count as one failure.
        let end = restEnd(now: now)
        if end != nil, pause == nil { return }
        let told = min(pause ?? 0, policy.longestToldRest)
        let until = now + max(told, policy.rests.pause(after: rests, random: random()))
        if end == nil { rests += 1 }
        rest = DestinationRest(until: max(until, end ?? 0), reason: reason)
    }

    private mutating func failed(_ event: ForwardedEvent, _ reason: String, now: Int64) -> Undelivered {
        changes.failures += 1
        var waiting =
            list.remove(event.sequence)
            ?? Undelivered(sequence: event.sequence, messageId: event.messageId, partition: event.partition)
        waiting.attempts += 1
        waiting.since = waiting.since ?? now
        waiting.reason = reason
        return waiting
    }

    private mutating func postpone(_ event: Undelivered, now: Int64) {
        let since = event.since ?? now
        let tookOthers = (lastAcceptedAt ?? .min) > since
        if now - since >= policy.longest || (event.attempts >= policy.attempts && tookOthers) {
            return giveUp(event, now: now)
        }
        var event = event
        event.dueAt = now + policy.pauses.pause(after: event.attempts - 1, random: random())
        list.add(event)
        changes.keep(event)
    }

    private mutating func giveUp(_ event: Undelivered, now: Int64) {
        var event = event
        event.deadAt = now
        changes.dead += 1
        changes.keep(event)
    }

    private mutating func endRetry(_ sequence: Int64) {
        guard let partition = retries.removeValue(forKey: sequence) else { return }
        busy.remove(partition)
    }

    // MARK: Changes for the database

    private var position: Int64 {
        let unfinished = [fresh.first?.sequence, firstAttempts.keys.min()].compactMap(\.self).min()
        return unfinished.map { $0 - 1 } ?? readThrough
    }

    /// The changes since the last call; nil when there are none.
    mutating func takeChanges() -> ForwardingChanges? {
        guard position != notedPosition || !changes.isEmpty else { return nil }
        var taken = changes
        taken.position = position
        changes = ForwardingChanges()
        notedPosition = position
        return taken
    }

    /// Takes back changes that could not be written.
    mutating func takeBack(_ failed: ForwardingChanges) {
        changes = failed.followed(by: changes)
        changes.position = 0
        notedPosition = nil
    }
}
