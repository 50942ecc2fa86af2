import WorkspaceCore

/// How far the loading of a warehouse has come, and when it goes on.
struct WarehouseProgress: Sendable {
    /// The position as the database has it; nil before it was read.
    private(set) var stored: WarehousePosition?
    /// Events up to this number are loaded. It differs from the stored one while a warehouse is filled again.
    private(set) var position: Int64 = 0
    /// Results that are not in the database of the server yet.
    var unsaved = ForwardingChanges()
    /// Events that are loaded again.
    var waiting = 0
    /// There is no event of the source up to that number.
    private var seen: Int64 = 0
    private var movedAt: Int64
    private var rest: DestinationRest?
    private var rests = 0
    private let policy = ForwardingPolicy()

    init(now: Int64) { movedAt = now }

    /// The state as the administration shows it.
    var state: ForwardingMachine.State {
        ForwardingMachine.State(rest: rest, waiting: waiting, position: max(position, seen))
    }

    mutating func opened(_ stored: WarehousePosition, at position: Int64) {
        (self.stored, self.position, seen) = (stored, position, position)
        unsaved.position = position
    }

    mutating func saw(_ number: Int64) {
        seen = max(seen, number)
        (rest, rests) = (nil, 0)
    }

    /// Whether the position should move although there was nothing to load.
    func shouldMove(now: Int64) -> Bool { seen > position && now - movedAt >= Limits.objectMove }

    mutating func succeeded(now: Int64) { (movedAt, rest, rests) = (now, nil, 0) }

    /// - Returns: false when the position in the database has changed; then it has to be read again.
    mutating func load(
        _ candidates: [ForwardingMachine.Candidate], through: Int64, in warehouse: any Warehouse
    ) async throws -> Bool {
        guard let stored else { return false }
        var (next, bodies) = (stored, [[UInt8]]())
        next.position = through
        for case .event(let event) in candidates {
            bodies.append(event.body)
            if event.sequence <= through, event.sequence > position {
                (next.lastSequence, next.lastId) = (event.sequence, event.messageId)
            }
        }
        // After a failure the position of the database is unknown.
        self.stored = nil
        do {
            guard try await warehouse.load(bodies, from: stored, to: next) else { return false }
        } catch let error as any WarehouseError where error.meaning == .refusesRows {
            self.stored = stored
            throw error
        }
        (self.stored, position) = (next, through)
        return true
    }

    mutating func failed(_ reason: String, now: Int64) {
        stored = nil
        let pause = policy.rests.pause(after: rests, random: .random(in: 0..<1))
        rests += 1
        rest = DestinationRest(until: now + pause, reason: reason)
    }

    /// The clock may have been set back, so no rest may be longer than the longest one.
    func isResting(now: Int64) -> Bool {
        guard let until = rest?.until else { return false }
        return until > now && until <= now + policy.longestToldRest
    }
}
