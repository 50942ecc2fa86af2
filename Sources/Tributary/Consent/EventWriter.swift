import Dispatch
import Foundation
import TributaryJSON
import TributaryJournal

/// Decides where what is tracked goes: into the inbox, apart from it, or nowhere. The only place that asks for consent.
///
/// What is kept apart stands in a log of its own, `pending` beside the inbox, and so does who the user is meanwhile.
/// With consent it is moved into the inbox before anything that is tracked later; without, it is deleted.
///
/// Unchecked because the state is behind its lock, everything else is constant or safe by itself.
final class EventWriter: @unchecked Sendable {
    /// Where events go.
    enum Target: Equatable {
        case inbox
        case pending
        case nowhere
    }

    private struct State {
        var record: ConsentRecord
        /// The settings switched collection off.
        var isSwitchedOff = false
        /// The log of pending events; nil when there never was one.
        var pending: FailoverLog?
        /// Consent was given, and what was kept apart is not yet in the inbox.
        var isMoving = false

        /// Whether it is known what the user said before.
        var isRead = false
        /// Whether calls that waited for the disk have been made. Until then nobody may see anything.
        var isOpen = false

        /// The permission for types that observe what the app does.
        var permit: CollectionPermit { decided == .granted && !isOpen ? .pending : decided }

        private var decided: CollectionPermit {
            guard record.isEnabled, !isSwitchedOff, record.state != .denied else { return .refused }
            return record.state == .pending ? .pending : .granted
        }

        var target: Target {
            switch decided {
            case .granted: isMoving ? .pending : .inbox
            case .pending: .pending
            case .refused: .nowhere
            }
        }
    }

    let inbox: FailoverLog
    private let eventQueue: EventQueue
    private let place: ConsentPlace?
    private let report: @Sendable (Diagnostic) -> Void
    private let state: LockBox<State>
    /// Held during a decision, so that decisions have an order; the value says nothing. A call that tracks never holds it.
    private let deciding = LockBox(false)
    private let permitObservers = Observers<CollectionPermit>()
    private let time: any TimeSource
    /// The permit until the user decides.
    private let defaultConsent: ConsentState
    /// The moment of the newest change of identity that is known.
    private let changedAt: LockBox<Int64>

    init(
        eventQueue: EventQueue, consent: ConsentState, time: any TimeSource, place: ConsentPlace?,
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.eventQueue = eventQueue
        self.place = place
        self.report = report
        self.time = time
        defaultConsent = consent
        inbox = eventQueue.inbox
        state = LockBox(State(record: ConsentRecord(state: consent)))
        changedAt = LockBox(0)
    }

    /// Reads what the user said before, and ends what a crash left undone of it. Doing it again does nothing.
    /// - Throws: when it cannot be read now.
    func begin() throws {
        guard !state.withLock({ $0.isRead }) else { return }
        try begin(known(isWaiting: true)) {
            try eventQueue.directory.readablePending(eventQueue.number, isLasting: inbox.hasDisk)
        }
    }

    /// The same for a client that waits no longer: what cannot be read counts as pending, and is kept in memory.
    func beginInMemory() {
        guard !state.withLock({ $0.isRead }) else { return }
        let record = (try? known(isWaiting: false)) ?? ConsentRecord(state: .pending)
        begin(record) { pendingLog() }
    }

    private func begin(_ record: ConsentRecord, _ open: () throws -> FailoverLog) rethrows {
        var pending: FailoverLog?
        if record.state == .pending || eventQueue.directory.hasPending(eventQueue.number) { pending = try open() }
        eventQueue.directory.consent.withLock { $0 = record.state }
        changingPermit { state in
            state.record = record
            state.pending = pending
            state.isMoving = record.state == .granted && (pending.map(Self.isOwed) ?? false)
            state.isRead = true
        }
        let known = [inbox.snapshot, pending?.snapshot].compactMap { $0.flatMap(IdentitySnapshot.init)?.changedAt }
        changedAt.withLock { $0 = max($0, known.max() ?? 0) }
        // A crash came between the decision and what follows from it.
        guard record.state == .denied else { return }
        if let pending, Self.isOwed(pending) { forget() } else { deleteDerived() }
    }

    /// The calls that waited for the disk have been made, so what was said last is known.
    func open() { changingPermit { $0.isOpen = true } }

    /// Whether there is something in it that waits for what the user says.
    private static func isOwed(_ pending: FailoverLog) -> Bool {
        pending.count > 0 || pending.snapshot.flatMap(IdentitySnapshot.init)?.info != nil
    }

    /// What the user said before, else what the app takes for granted. What cannot be read now is asked for again: nothing
    /// is sent, and nothing is lost.
    private func known(isWaiting: Bool) throws -> ConsentRecord {
        do {
            return try place?.load() ?? ConsentRecord(state: defaultConsent)
        } catch let error as JournalError where isWaiting && error.errno != 0 {
            throw error
        } catch {
            report(Diagnostic(.storage, "what the user consented to cannot be read, so it counts as pending: \(error)"))
            return ConsentRecord(state: .pending)
        }
    }

    // MARK: What holds

    var record: ConsentRecord { state.withLock { $0.record } }
    var target: Target { state.withLock { $0.target } }
    var permit: CollectionPermit { state.withLock { $0.permit } }
    /// Whether what was kept apart is on its way into the inbox.
    var isMoving: Bool { state.withLock { $0.isMoving } }
    /// Events that are kept apart.
    var pendingCount: Int { state.withLock { $0.pending }?.count ?? 0 }

    /// Who the user was when this client's process ended.
    var snapshot: [UInt8]? {
        guard let kept = state.withLock({ $0.pending })?.snapshot, kept != IdentitySnapshot.nobody else {
            return inbox.snapshot
        }
        return kept
    }

    // MARK: Writing

    /// Writes an event, and before it who the user is from now on.
    /// - Returns: whether it was taken.
    @discardableResult
    func append(_ record: InboxRecord, identity: UserInfo? = nil) -> Bool {
        let snapshot = identity.map { stamped($0).encoded }
        // Under the lock for a single write: the move ends only when nothing is on its way into the pending log.
        let target = state.withLock { state in
            if state.target == .pending { state.pending?.append(record.encoded, snapshot: snapshot) }
            return state.target
        }
        if target == .inbox { eventQueue.append(record, snapshot: snapshot) }
        return target != .nowhere
    }

    /// Keeps who the user is from now on.
    func append(identity: UserInfo) { append(snapshot: stamped(identity).encoded) }

    /// Keeps who the user is, as it was said before.
    func append(snapshot: [UInt8]) {
        let target = state.withLock { state in
            if state.target == .pending { state.pending?.append(nil, snapshot: snapshot) }
            return state.target
        }
        if target == .inbox { inbox.append(nil, snapshot: snapshot) }
    }

    /// Who the user is from now on, or that nobody is to be known, with the moment of the change.
    func stamped(_ info: UserInfo?) -> IdentitySnapshot {
        changedAt.withLock { latest in
            let snapshot = IdentitySnapshot(info, changedAt: max(time.milliseconds, latest + 1))
            latest = snapshot.changedAt
            return snapshot
        }
    }

    /// A change that was made elsewhere: what is changed from now on is newer.
    func saw(_ snapshot: IdentitySnapshot) { changedAt.withLock { $0 = max($0, snapshot.changedAt) } }

    /// No client begins with the first identity again.
    func forgetFirstIdentity() {
        do {
            try eventQueue.directory.firstIdentity?.forget()
        } catch {
            report(Diagnostic(.storage, "with whom the write key began cannot be deleted: \(error)"))
        }
    }

    // MARK: Deciding

    /// Switches collection off or on by what the settings say. Not kept: the settings are.
    func setSwitchedOff(_ isOff: Bool) {
        changingPermit { $0.isSwitchedOff = isOff }
    }

    /// Shows what was said before the disk could be read; it is kept when that is.
    func preview(_ change: (inout ConsentRecord) -> Void) { changingPermit { change(&$0.record) } }

    func setEnabled(_ isEnabled: Bool) {
        deciding.withLock { _ in tellingPermit { change { $0.isEnabled = isEnabled } } }
    }

    /// Calls the handler with the permit: now, and after each change, before the call that changes it returns. It must
    /// not decide anything itself.
    func observePermit(_ handler: @escaping @Sendable (CollectionPermit) -> Void) -> Int {
        deciding.withLock { _ in
            handler(permit)
            return permitObservers.add(handler)
        }
    }

    func stopObservingPermit(_ id: Int) { permitObservers.remove(id) }

    private func changingPermit(_ change: (inout State) -> Void) {
        deciding.withLock { _ in tellingPermit { state.withLock { change(&$0) } } }
    }

    /// Under the lock of decisions, so that observers hear of them in their order.
    private func tellingPermit(_ change: () -> Void) {
        let before = permit
        change()
        let now = permit
        if now != before { permitObservers.tell(now) }
    }

    /// What the user says now. What is to be deleted is deleted when this returns, what is to be moved is not.
    /// - Returns: what they had said before.
    func decide(_ new: ConsentState, categories: [String: Bool]?) -> ConsentState {
        deciding.withLock { _ in
            let before = record.state
            eventQueue.directory.consent.withLock { $0 = new }
            if new == .pending { openPending() }
            // Kept before anything is done: a crash right after it finds the decision, and does what follows from it.
            tellingPermit {
                change { record in
                    record.state = new
                    if let categories { record.categories = categories }
                }
            }
            state.withLock { state in
                state.isMoving = new == .granted && (state.pending.map(Self.isOwed) ?? false)
            }
            if new == .denied { forget() }
            return before
        }
    }

    private func pendingLog() -> FailoverLog {
        eventQueue.directory.pending(eventQueue.number, isLasting: inbox.hasDisk)
    }

    private func openPending() {
        guard state.withLock({ $0.pending == nil }) else { return }
        let pending = pendingLog()
        state.withLock { $0.pending = pending }
    }

    /// Deletes pending events, and deletes the identity from disk.
    private func forget() {
        if let pending = state.withLock({ $0.pending }) {
            pending.append(nil, snapshot: IdentitySnapshot.nobody)
            pending.purge()
        }
        inbox.append(nil, snapshot: stamped(nil).encoded)
        forgetFirstIdentity()
        deleteDerived()
    }

    /// Deletes what plugins of the library derived from the user's events, as ids of sessions.
    func deleteDerived() {
        guard let folder = eventQueue.directory.location?.folder else { return }
        do {
            try KeptFile(folder.appendingPathComponent(StorageLocation.sessionName), eventQueue.directory.values.files)
                .remove()
        } catch {
            report(Diagnostic(.storage, "the session cannot be deleted, it is tried again at the next start: \(error)"))
        }
    }

    private func change(_ body: (inout ConsentRecord) -> Void) {
        let record = state.withLock { state in
            body(&state.record)
            return state.record
        }
        do {
            try place?.store(record)
        } catch {
            report(Diagnostic(.storage, "what the user consented to cannot be kept on disk: \(error)"))
        }
    }

    /// Deletes the pending events; the identity stays.
    func purgePending() { state.withLock { $0.pending }?.purge() }

    // MARK: Moving

    /// Moves what was kept apart into the inbox, in its order. Only on the pipeline's executor: what was moved must not be
    /// given up in the inbox before it is given up here.
    /// - Returns: whether all of it is there; else it is to be tried again.
    func move() -> Bool {
        var fruitless = 0
        while let pending = state.withLock({ $0.isMoving ? $0.pending : nil }) {
            var hasMoved = false
            while isMoving, PendingMove.step(from: pending, to: inbox, number: eventQueue.number) { hasMoved = true }
            if endMove(of: pending) { return true }
            // Something was tracked just now, or it does not go on: in the log, or from the disk of one of both.
            fruitless = hasMoved ? 0 : fruitless + 1
            guard fruitless < 2 else { return false }
        }
        return true
    }

    /// Lets events go into the inbox again, when nothing is left that has to be there before them.
    private func endMove(of pending: FailoverLog) -> Bool {
        state.withLock { state in
            guard state.isMoving, pending.count == 0, inbox.isSettled else { return false }
            if let snapshot = pending.snapshot, snapshot != IdentitySnapshot.nobody {
                inbox.append(nil, snapshot: snapshot)
                pending.append(nil, snapshot: IdentitySnapshot.nobody)
            }
            state.isMoving = false
            return true
        }
    }

    func close() { state.withLock { $0.pending }?.close() }
}
