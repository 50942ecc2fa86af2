import Dispatch
import Foundation
import TributaryJSON
import TributaryJournal

/// Decides where a tracked event goes: into the inbox, into the log of pending events, or nowhere. No other type asks
/// for consent.
///
/// Pending events are in a log of their own, `pending`, beside the inbox, with the identity of that time. With consent
/// they move into the inbox before any later event. When the user refuses, they are deleted.
///
/// Unchecked because the state is behind its lock or only used on the executor, and everything else is constant or
/// thread-safe by itself.
final class EventWriter: @unchecked Sendable {
    /// Where events go.
    enum Target: Equatable {
        case inbox
        case pending
        case nowhere
    }

    private struct State {
        var record: ConsentRecord
        /// Whether the settings switched collection off.
        var isSwitchedOff = false
        /// The log of pending events; nil when there never was one.
        var pending: FailoverLog?
        /// Whether consent was given and pending events are not yet in the inbox.
        var isMoving = false

        /// Whether the stored decision has been read.
        var isRead = false
        /// Whether there is a stored decision that cannot be read, so that it counts as pending.
        var isUnknown = false
        /// Whether calls that waited for the disk have been made. Before that, no observer gets data.
        var isOpen = false

        /// The permit for types that observe what the app does.
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
    /// Held during a decision, so that decisions have an order. The value has no meaning. A call that tracks never
    /// takes this lock.
    private let deciding = LockBox(false)
    private let permitObservers = Observers<CollectionPermit>()
    /// The progress of moving; nil before the first pending event. Only at the beginning and on the pipeline's executor.
    private let pendingMove = LockBox<PendingMove?>(nil)
    private let time: any TimeSource
    /// The consent until the user decides.
    private let defaultConsent: ConsentState
    /// The time of the newest known change of identity.
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
        eventQueue.handle { handlers in
            handlers.checked = { [weak self] in self?.repair() }
            // Says what the limits dropped, and spares callers the work.
            handlers.prepared = { [weak self] in self?.state.withLock { $0.pending }?.prepare() }
        }
    }

    /// Makes the log of pending events again when its files were deleted, with the events that it can still read. Makes
    /// it for the first time when the disk refused that before.
    func repair() {
        guard inbox.hasDisk, let pending = state.withLock({ $0.pending }), !pending.hasDisk || !pending.isAttached
        else { return }
        let isNew = !pending.hasDisk
        do {
            guard let empty = try eventQueue.directory.emptyPending(eventQueue.number) else { return }
            try pending.exchange(for: empty, after: pending.start)
            report(
                Diagnostic(
                    .storage,
                    isNew
                        ? "the disk can be used now; the events that wait for consent were moved to it"
                        : "files with events that wait for consent were deleted; they are created again",
                    reason: .recovered))
        } catch {
            // The next check tries again. The queue has reported why files cannot be made.
        }
    }

    /// Reads the stored decision, and finishes its work when a crash interrupted that. A repeated call does nothing.
    /// - Throws: when the decision cannot be read now.
    func begin() throws {
        guard !state.withLock({ $0.isRead }) else { return }
        try begin(known(isWaiting: true)) {
            try eventQueue.directory.readablePending(eventQueue.number, isLasting: inbox.hasDisk)
        }
    }

    /// Begins without the disk. The user's decisions are in memory only.
    func beginInMemory() {
        guard !state.withLock({ $0.isRead }) else { return }
        begin(unread()) { pendingLog() }
    }

    private func begin(_ known: Known, _ open: () throws -> FailoverLog) rethrows {
        let record = known.record
        var pending: FailoverLog?
        if record.state == .pending || eventQueue.directory.hasPending(eventQueue.number) { pending = try open() }
        // Events that an earlier process moved do not wait here any more.
        if let pending { pendingMove.withLock { $0 = PendingMove(from: pending, to: inbox) } }
        eventQueue.directory.consent.withLock { $0 = record.state }
        changingPermit { state in
            state.record = record
            state.isUnknown = known.isUnknown
            state.pending = pending
            state.isMoving = record.state == .granted && (pending.map(Self.isOwed) ?? false)
            state.isRead = true
        }
        let known = [inbox.snapshot, pending?.snapshot].compactMap { $0.flatMap(IdentitySnapshot.init)?.changedAt }
        changedAt.withLock { $0 = max($0, known.max() ?? 0) }
        // A crash came after the refusal and before its work was done.
        guard record.state == .denied else { return }
        if let pending, Self.isOwed(pending) { forget() } else { deleteDerived() }
    }

    /// Called when the calls that waited for the disk have been made; the latest decision is then known.
    func open() { changingPermit { $0.isOpen = true } }

    /// Whether the log has something to move or to delete.
    private static func isOwed(_ pending: FailoverLog) -> Bool {
        pending.count > 0 || pending.snapshot.flatMap(IdentitySnapshot.init)?.info != nil
    }

    /// The decision with which a client begins.
    private struct Known {
        let record: ConsentRecord
        /// Whether there is a stored decision that cannot be read.
        var isUnknown = false
    }

    /// The stored decision, else the app's default.
    /// - Parameter isWaiting: whether a decision that cannot be read now will be read later; then this throws.
    private func known(isWaiting: Bool) throws -> Known {
        do {
            return Known(record: try place?.load() ?? ConsentRecord(state: defaultConsent))
        } catch let error as JournalError where error.isForeign {
            report(
                Diagnostic(
                    .storage,
                    "the file with the user's consent belongs to another account of the system (\(error)), so the app's "
                        + "default applies: \(defaultConsent)"))
            return Known(record: ConsentRecord(state: defaultConsent))
        } catch let error as JournalError where isWaiting && error.errno != 0 {
            throw error
        } catch {
            report(Diagnostic(.storage, "the user's consent cannot be read, so it counts as pending: \(error)"))
            return Known(record: ConsentRecord(state: .pending), isUnknown: true)
        }
    }

    /// The decision for a client that no longer waits for the disk.
    private func unread() -> Known {
        do {
            return try known(isWaiting: false)
        } catch {
            return Known(record: ConsentRecord(state: .pending), isUnknown: true)
        }
    }

    // MARK: The present state

    var record: ConsentRecord { state.withLock { $0.record } }
    var target: Target { state.withLock { $0.target } }
    var permit: CollectionPermit { state.withLock { $0.permit } }
    /// Whether pending events are on their way into the inbox.
    var isMoving: Bool { state.withLock { $0.isMoving } }
    /// The number of pending events.
    var pendingCount: Int { state.withLock { $0.pending }?.untaken() ?? 0 }

    /// The events that wait for the user's decision, and why; nil when there are none.
    var waitingForConsent: (count: Int, obstacle: UploadObstacle)? {
        let (isPending, isUnknown, pending) = state.withLock { ($0.target == .pending, $0.isUnknown, $0.pending) }
        guard isPending, !isMoving, let count = pending?.untaken(), count > 0 else { return nil }
        let reason =
            isUnknown
            ? "the user's decision about consent cannot be read" : "the user has not decided about consent"
        return (count, UploadObstacle(.consent, "\(reason); events that wait for it: \(count)"))
    }

    /// The identity that was stored last.
    var snapshot: [UInt8]? {
        guard let kept = state.withLock({ $0.pending })?.snapshot, kept != IdentitySnapshot.nobody else {
            return inbox.snapshot
        }
        return kept
    }

    // MARK: Writing

    /// Writes an event, and before it the new identity.
    /// - Returns: whether the event was stored.
    @discardableResult
    func append(_ record: InboxRecord, identity: UserInfo? = nil) -> Bool {
        guard takes(record) else {
            if let identity { append(identity: identity) }
            return lose(record)
        }
        let snapshot = identity.map { stamped($0).encoded }
        // The lock is held during a single write. So the move can only end when no write into the pending log is under
        // way.
        let target = state.withLock { state in
            if state.target == .pending { state.pending?.append(record.encoded, snapshot: snapshot) }
            return state.target
        }
        if target == .inbox { eventQueue.append(record, snapshot: snapshot) }
        return target != .nowhere
    }

    /// Whether an event is small enough to be stored.
    func takes(_ record: InboxRecord) -> Bool { record.encoded.count <= eventQueue.largestEvent }

    /// Counts an event that is too large to be stored.
    /// - Returns: whether it would have been stored.
    private func lose(_ record: InboxRecord) -> Bool {
        guard target != .nowhere else { return false }
        eventQueue.directory.host.lose(
            1, of: QueueLogs.inboxName, .tooLarge,
            "event \(record.event["messageId"]?.stringValue ?? "?") has \(record.encoded.count) bytes; at most "
                + "\(eventQueue.largestEvent) are stored, and servers accept \(Limits.eventBytes)")
        return true
    }

    /// Stores a new identity.
    func append(identity: UserInfo) { append(snapshot: stamped(identity).encoded) }

    /// Stores an identity in its stored form.
    func append(snapshot: [UInt8]) {
        let target = state.withLock { state in
            if state.target == .pending { state.pending?.append(nil, snapshot: snapshot) }
            return state.target
        }
        if target == .inbox { inbox.append(nil, snapshot: snapshot) }
    }

    /// The stored form of an identity, or of no identity, with the time of the change.
    func stamped(_ info: UserInfo?) -> IdentitySnapshot {
        changedAt.withLock { latest in
            let snapshot = IdentitySnapshot(info, changedAt: max(time.milliseconds, latest + 1))
            latest = snapshot.changedAt
            return snapshot
        }
    }

    /// Takes note of a change of identity that another client made, so that this client's next change is newer.
    func saw(_ snapshot: IdentitySnapshot) { changedAt.withLock { $0 = max($0, snapshot.changedAt) } }

    /// Deletes the file with the first identity, so that no later client begins with it.
    func forgetFirstIdentity() {
        do {
            try eventQueue.directory.firstIdentity?.forget()
        } catch {
            report(Diagnostic(.storage, "the first identity of the write key cannot be deleted: \(error)"))
        }
    }

    // MARK: Deciding

    /// Switches collection off or on, as the settings say. The client does not store this, because it stores the
    /// settings.
    func setSwitchedOff(_ isOff: Bool) {
        changingPermit { $0.isSwitchedOff = isOff }
    }

    /// Shows a decision that was made before the disk could be read. The client stores it when the disk can be read.
    func preview(_ change: (inout ConsentRecord) -> Void) { changingPermit { change(&$0.record) } }

    func setEnabled(_ isEnabled: Bool) {
        deciding.withLock { _ in tellingPermit { change { $0.isEnabled = isEnabled } } }
    }

    /// Calls the handler with the permit now and after each change, before the call that changes it returns. The
    /// handler must not change consent.
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

    /// Changes the permit under the lock of decisions, so that observers see changes in their order.
    private func tellingPermit(_ change: () -> Void) {
        let before = permit
        change()
        let now = permit
        if now != before { permitObservers.tell(now) }
    }

    /// Applies a decision of the user. When this returns, everything that it deletes is deleted; moving events takes
    /// longer.
    /// - Returns: the decision before.
    func decide(_ new: ConsentState, categories: [String: Bool]?) -> ConsentState {
        deciding.withLock { _ in
            let before = record.state
            state.withLock { $0.isUnknown = false }
            eventQueue.directory.consent.withLock { $0 = new }
            if new == .pending { openPending() }
            // The decision is stored first. After a crash, the next start finds it and finishes its work.
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

    /// Deletes the pending events and the identity from disk.
    private func forget() {
        if let pending = state.withLock({ $0.pending }) {
            pending.append(nil, snapshot: IdentitySnapshot.nobody)
            pending.purge()
        }
        inbox.append(nil, snapshot: stamped(nil).encoded)
        forgetFirstIdentity()
        deleteDerived()
    }

    /// Deletes data that plugins of the library derived from the user's events, such as ids of sessions.
    func deleteDerived() {
        do {
            try eventQueue.directory.keptFile(StorageLocation.sessionName)?.remove()
        } catch {
            report(
                Diagnostic(
                    .storage, "the session file cannot be deleted; the client tries again at the next start: \(error)"))
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
            report(Diagnostic(.storage, "the user's consent cannot be stored on disk: \(error)"))
        }
    }

    /// Deletes the pending events. The identity stays.
    func purgePending() { state.withLock { $0.pending }?.purge() }

    // MARK: Moving

    /// Moves pending events into the inbox in their order. Only on the pipeline's executor: a pending record must be
    /// removed before its copy in the inbox is processed and removed.
    /// - Returns: whether all events are moved; otherwise the caller tries again later.
    func move() -> Bool {
        var fruitless = 0
        while let pending = state.withLock({ $0.isMoving ? $0.pending : nil }) {
            var hasMoved = false
            while isMoving, step(from: pending) { hasMoved = true }
            if endMove(of: pending) { return true }
            // Nothing was moved: an event was just tracked, or one of the two logs fails.
            fruitless = hasMoved ? 0 : fruitless + 1
            guard fruitless < 2 else { return false }
        }
        return true
    }

    private func step(from pending: FailoverLog) -> Bool {
        var move = pendingMove.current ?? PendingMove(from: pending, to: inbox)
        defer { pendingMove.withLock { $0 = move } }
        return move.step(from: pending, to: inbox, number: eventQueue.number, isSafe: eventQueue.isOutboxSettled)
    }

    /// Lets new events go into the inbox again, when the pending log is empty.
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

    /// Closes the pending log, after the queue was closed. By now the queue's logs had their last chance to reach the disk, so
    /// events that were moved can be removed here. Otherwise the next process would move them again.
    func close() {
        guard let pending = state.withLock({ $0.pending }) else { return }
        if let moved = pendingMove.current?.position, moved > pending.start, inbox.isSettled, eventQueue.isOutboxSettled
        {
            pending.remove(through: moved)
        }
        pending.close()
    }
}
