/// Compares what the client processes of a world acknowledged with what the server holds.
///
/// What an event is excused by is exact:
/// - in memory only: the client said so at its call, and its record never reached the inbox's file;
/// - purged: a process that has no living neighbour but those of its own round gave up everything that was tracked before,
///   while its threads stood still, and the event had not reached the server;
/// - dropped by a plugin: it must not come at all.
struct Audit {
    /// An event as the ledgers know it, over all lives: a plugin may make the same one again after a crash.
    private struct EventState {
        var isAcknowledged = false
        /// The client said so at each of its calls.
        var isVolatile = true
        var isStored = false
        var isPurged = false
    }

    private var states: [String: EventState] = [:]
    /// The number of the last call of each thread that returned.
    private var lastCalls: [String: Int] = [:]
    private var verdict = Verdict()
    private let world: String

    init(world: String) { self.world = world }

    /// Reads the ledger of a life; lives have to come in their order, in a round the one that purges first: it has the
    /// queues of all earlier lives given up, but not that of its neighbour, which lives longer.
    mutating func add(_ lines: [Ledger.Line]) {
        for line in lines {
            switch line {
            case .stored(let key): states[key, default: EventState()].isStored = true
            case .acknowledged(let key, let isVolatile):
                states[key, default: EventState()].isAcknowledged = true
                if !isVolatile { states[key]?.isVolatile = false }
                if let place = EventKey.place(of: key) { lastCalls[place.thread] = place.number }
            case .purging, .purged:
                // At its end once more, for what a plugin tracked meanwhile; it does not stand still.
                for key in states.keys { states[key]?.isPurged = true }
            case .killed, .finished: break
            }
        }
    }

    /// The comparison; to be asked once.
    mutating func verdict(held: [FaultyServer.Held], received: Int) -> Verdict {
        verdict.repetitions = received - held.count
        checkDuplicates(held)
        checkOrder(held)
        checkPresence(Set(held.map(\.key)))
        return verdict
    }

    private mutating func checkPresence(_ held: Set<String>) {
        for (key, state) in states.sorted(by: { $0.key < $1.key }) where state.isAcknowledged {
            verdict.acknowledged += 1
            if !state.isStored, !state.isVolatile {
                verdict.undurable += 1
                tell("returned before it was on disk: \(key)")
            }
            guard !EventKey.isDropped(key) else { continue }
            check(key, state, held)
            // A parent that was not excused has been through the timeline, so its child must have been made.
            guard EventKey.isParent(key), !isExcused(state) else { continue }
            let child = EventKey.child(of: key)
            if states[child]?.isAcknowledged != true, !held.contains(child) { lose(child, "never made") }
        }
        for key in held.sorted() where EventKey.isDropped(key) || !mayHaveBeenTracked(key) {
            verdict.unexpected += 1
            tell("came although \(EventKey.isDropped(key) ? "a plugin dropped it" : "nobody tracked it"): \(key)")
        }
    }

    /// The last call of each thread may have stored its event and not have returned.
    private func mayHaveBeenTracked(_ key: String) -> Bool {
        if states[key] != nil { return true }
        if let parent = EventKey.parent(of: key) { return mayHaveBeenTracked(parent) }
        guard let place = EventKey.place(of: key) else { return false }
        return place.number == lastCalls[place.thread, default: -1] + 1
    }

    private mutating func check(_ key: String, _ state: EventState, _ held: Set<String>) {
        guard !held.contains(key) else { return }
        // Of what a plugin tracks for a purged event nobody knows whether it was before or after.
        if state.isPurged || EventKey.parent(of: key).flatMap({ states[$0] })?.isPurged == true {
            verdict.purged += 1
        } else if isExcused(state) {
            verdict.memoryOnly += 1
        } else {
            lose(key, state.isStored ? "it was on disk" : "it never was on disk")
        }
    }

    private func isExcused(_ state: EventState) -> Bool {
        state.isPurged || (state.isVolatile && !state.isStored)
    }

    private mutating func lose(_ key: String, _ why: String) {
        verdict.lost += 1
        tell("lost: \(key), \(why)")
    }

    private mutating func checkDuplicates(_ held: [FaultyServer.Held]) {
        var ids: [String: String] = [:]
        for event in held {
            if let first = ids.updateValue(event.messageId, forKey: event.key) {
                verdict.duplicated += 1
                tell("twice: \(event.key) as \(first) and as \(event.messageId)")
            }
        }
    }

    /// The events of a thread of a process come in the order of its calls.
    private mutating func checkOrder(_ held: [FaultyServer.Held]) {
        var newest: [String: Int] = [:]
        var seen: Set<String> = []
        for event in held where seen.insert(event.key).inserted {
            guard let place = EventKey.place(of: event.key) else { continue }
            if let before = newest[place.thread], before > place.number {
                verdict.reordered += 1
                tell("out of order: \(event.key) came after \(before)")
            }
            newest[place.thread] = max(newest[place.thread] ?? 0, place.number)
        }
    }

    private mutating func tell(_ text: String) {
        verdict.problems.append(Verdict.Problem(world: world, text: text))
    }
}
