import Dispatch
import Foundation

/// The bounded queue of one device-mode destination. A thread of its own takes the work from it in order.
///
/// A slow destination, or a slow plugin of its timeline, delays neither other destinations nor the server. When one
/// piece of work takes too long, the destination counts as stuck, and the pipeline does not wait for it until it
/// returns.
///
/// Unchecked because the state of both sides is behind the lock of `mailbox`, only the destination's thread calls
/// `visitor`, and all other mutable state is only touched on the client's executor.
final class DestinationQueue: @unchecked Sendable {
    let plugin: any Plugin
    let name: String
    let key: String
    /// Counts the events that the destination accepted.
    let deliveries: CounterStore.Deliveries
    private let capacity: Int
    private let timeout: TimeInterval
    private let queue: DispatchQueue
    private let executor: ClientExecutor
    private weak var owner: (any DestinationQueueOwner)?
    /// The order of destinations that take turns; nil when this destination takes none.
    private let order: DestinationOrder?
    private let mailbox: LockBox<DestinationMailbox>
    private let visitor: DestinationVisitor
    /// The timeline of the destination; nil for a plugin without one.
    private let timeline: Timeline?

    // On the executor.
    private var outgoing: [DestinationMailbox.Work] = []
    private var waiters = DestinationWaiters()
    private var lost = 0
    private var isWatched = false
    private var isEnded = false
    /// Whether the destination works without waiting for a turn: it takes none, or it held up the others.
    private var isFree: Bool
    private(set) var isStuck = false
    /// Whether the destination was too slow to make room. It then loses events that find no room, until half of its
    /// queue is free.
    private var isLagging = false

    init(
        _ plugin: any Plugin, name: String, key: String, timeout: TimeInterval, deliveries: CounterStore.Deliveries,
        order: DestinationOrder? = nil, executor: ClientExecutor, owner: any DestinationQueueOwner
    ) {
        self.plugin = plugin
        self.name = name
        self.key = key
        self.timeout = timeout
        self.deliveries = deliveries
        self.executor = executor
        self.owner = owner
        self.order = order
        isFree = order == nil
        mailbox = LockBox(DestinationMailbox(isFree: order == nil))
        capacity = Limits.destinationEvents
        queue = DispatchQueue(label: "tributary.destination.\(key)", qos: .utility)
        timeline = (plugin as? any DestinationPlugin)?.timeline
        let executorKey = ExecutorKey(beside: executor.key)
        visitor = DestinationVisitor(plugin, key: key, executorKey, owner: owner)
        executorKey.queue = self
        queue.setSpecific(key: ExecutorKey.specific, value: executorKey)
    }

    // MARK: On the executor

    /// Whether a wait for more room makes sense.
    var isFull: Bool { !isStuck && !isLagging && !isEnded && waiters.count > capacity - Limits.eventsPerTurn }

    /// Whether the destination may work now. If it does not, it is itself the reason.
    var mayWork: Bool { isFree || order?.isTurn(of: self) ?? true }

    /// The plugins of the destination's timeline that see events on the executor.
    var pluginsOnExecutor: [Timeline.Entry] { timeline?.snapshot.onExecutor ?? [] }

    /// Whether the destination's timeline has plugins that see events on this queue before the destination does.
    var hasPlugins: Bool {
        timeline?.entries.contains { !$0.isOnExecutor && ($0.type == .before || $0.type == .enrichment) } ?? false
    }

    /// Queues an event. Without room, the destination loses it.
    func send(_ event: any RawEvent, _ scripts: DestinationVisitor.Scripts, _ inFlight: InFlightEvent) {
        guard !isEnded else { return }
        guard waiters.count < capacity else { return lose() }
        add(.event(event, scripts, inFlight), inFlight)
    }

    /// Queues a call after the events that were queued before.
    /// - Parameter isVital: whether the call is made in any case, also when the queue is full or the destination ends.
    ///   Such a call may keep events from the destination, or other work may wait for it.
    /// - Returns: whether the call will be made.
    @discardableResult
    func call(
        for waiter: Countdown? = nil, isVital: Bool = false, _ call: @escaping @Sendable (any Plugin) -> Void
    ) -> Bool {
        guard !isEnded, isVital || waiters.count < capacity * 2 else { return false }
        add(.call(isVital: isVital, call), waiter)
        dispatch()
        return true
    }

    /// Puts the queued work into the mailbox of the destination's thread, and wakes the thread.
    func dispatch() {
        guard !outgoing.isEmpty else { return }
        let begun = mailbox.withLock { mailbox in
            mailbox.put(outgoing)
            return mailbox.begun
        }
        outgoing.removeAll(keepingCapacity: true)
        let wasWoken = wakeThread()
        watch(begun: wasWoken ? begun + 1 : begun, for: timeout)
    }

    /// Ends the queue: from now on it begins only vital calls and the last one.
    /// - Parameter isRemoved: whether to release the events that are dropped here. A client that ends keeps them in its
    ///   inbox instead.
    func end(isRemoved: Bool, _ last: @escaping @Sendable (any Plugin) -> Void) {
        guard !isEnded else { return }
        dispatch()
        let (unbegun, vital) = mailbox.withLock { $0.dropWaiting() }
        leave()
        let dropped = waiters.drop(last: unbegun, keeping: vital)
        add(.call(isVital: true, last), nil)
        dispatch()
        isEnded = true
        if isRemoved { for waiter in dropped { waiter.release() } }
    }

    /// Ends the wait for more room.
    func giveUpWaiting() {
        guard isFull else { return }
        isLagging = true
        leave()
    }

    private func add(_ work: DestinationMailbox.Work, _ waiter: Countdown?) {
        if !isFree { order?.append(self) }
        waiters.add(waiter, isStuck: isStuck)
        outgoing.append(work)
    }

    private func lose() {
        lost += 1
        owner?.lost(1, at: self)
        guard lost == 1 else { return }
        report(.eventDropped, .destinationFull, "\(capacity) events wait for the destination; it loses further events")
    }

    /// Takes the outcomes of the destination's thread.
    private func receive() {
        let outcomes = mailbox.withLock { $0.takeOutcomes() }
        guard !outcomes.isEmpty else { return }
        if isStuck { recover() }
        let owner = owner
        for outcome in outcomes {
            let waiter = waiters.end()
            if case .visited(let visit, let inFlight) = outcome { owner?.took(visit, at: self, of: inFlight) }
            waiter?.release()
        }
        if waiters.count <= capacity / 2 { catchUp() }
        if waiters.isEmpty { takeTurnsAgain() }
        owner?.wake()
    }

    private func catchUp() {
        isLagging = false
        guard lost > 0 else { return }
        report(
            .eventDropped, .destinationFull, "the destination has room again; it did not get \(lost) events",
            count: lost)
        lost = 0
    }

    private func report(
        _ kind: Diagnostic.Kind, _ reason: Diagnostic.Reason, _ message: String, count: Int = 1
    ) {
        owner?.report(Diagnostic(kind, message, reason: reason, plugin: name, destination: key, count: count))
    }

    // MARK: Turns

    /// Leaves the order, so that the other destinations do not wait for this one.
    private func leave() {
        guard let order, !isFree else { return }
        isFree = true
        mailbox.withLock { $0.isFree = true }
        order.leave(self)?.wakeThread()
        wakeThread()
    }

    /// Joins the order again, because no work without a turn is left.
    private func takeTurnsAgain() {
        guard order != nil, isFree, !isEnded else { return }
        isFree = false
        mailbox.withLock { $0.isFree = false }
    }

    // MARK: Watching

    private func watch(begun: Int, for seconds: TimeInterval) {
        guard !isWatched, !isStuck else { return }
        isWatched = true
        executor.schedule(after: seconds) { [weak self] in self?.check(begun) }
    }

    /// Declares the destination stuck when the work that was seen is still under way. The beginning of each piece of
    /// work is not recorded, because that would cost more than the work. So work that began meanwhile gets the whole
    /// time again.
    private func check(_ seen: Int) {
        isWatched = false
        let (isWorking, begun, woken) = mailbox.withLock { ($0.isWorking, $0.begun, $0.woken) }
        guard isWorking else {
            // The destination waits for its turn. Nothing else would watch it when the turn comes.
            if !isFree, !waiters.isEmpty { watch(begun: begun, for: timeout) }
            return
        }
        // Work for which the thread was woken counts as begun.
        let rest = begun <= woken.work ? woken.at + timeout - executor.uptime : begun == seen ? 0 : timeout
        guard rest <= 0 else { return watch(begun: begun, for: rest) }
        isStuck = true
        let waiting = waiters.giveUp()
        report(
            .pluginFault, .destinationStuck,
            "the destination has not returned for \(timeout) s; the client no longer waits for it",
            count: waiting.count)
        leave()
        for waiter in waiting { waiter.release() }
        owner?.wake()
    }

    private func recover() {
        isStuck = false
        report(.pluginFault, .destinationRecovered, "the destination has returned")
        let (isWorking, begun) = mailbox.withLock { ($0.isWorking, $0.begun) }
        if isWorking { watch(begun: begun, for: timeout) }
    }

    // MARK: On any thread

    /// Lets the thread do the waiting work, unless it is at work or other destinations have their turn first.
    /// - Returns: whether it begins now.
    @discardableResult
    private func wakeThread() -> Bool {
        let now = executor.uptime
        let isWoken = mailbox.withLock { $0.wake(at: now, isTurn: isTurn) }
        if isWoken { queue.async { self.work() } }
        return isWoken
    }

    private var isTurn: Bool { order?.isTurn(of: self) ?? true }

    // MARK: On the destination's thread

    private func work() {
        var outcome: DestinationMailbox.Outcome?
        while let work = next(after: outcome) { outcome = perform(work) }
    }

    /// Stores the outcome of the last piece of work, and takes the next one.
    private func next(after outcome: DestinationMailbox.Outcome?) -> DestinationMailbox.Work? {
        let (work, isNews, successor) = mailbox.withLock { mailbox in
            let isNews = outcome.map { mailbox.add($0) } ?? false
            let successor = outcome == nil || mailbox.isFree ? nil : order?.finish(self)
            return (mailbox.next(isTurn: isTurn), isNews, successor)
        }
        if let successor, successor !== self { successor.wakeThread() }
        if isNews { executor.perform { self.receive() } }
        return work
    }

    private func perform(_ work: DestinationMailbox.Work) -> DestinationMailbox.Outcome {
        switch work {
        case .call(_, let call):
            call(plugin)
            return .called
        case .event(let event, let scripts, let inFlight):
            return .visited(visitor.visit(event, scripts, inFlight, at: self), inFlight)
        }
    }

    /// Takes note of the turn of an event's scripts on the executor: the destination is not to blame for the time until
    /// then.
    func noteTurn() { mailbox.withLock { $0.begun += 1 } }

    /// A new id for an event that the destination makes of its current event. A replay makes the same id.
    func derivedId() -> String? { visitor.derivedId() }
}

/// The owner of destinations' queues. Its functions are called on the executor, except where they say otherwise.
protocol DestinationQueueOwner: AnyObject, Sendable {
    /// Work that waited may be possible now.
    func wake()
    /// A destination has finished with an event.
    func took(_ visit: DestinationVisit, at queue: DestinationQueue, of inFlight: InFlightEvent)
    /// Takes an event through the scripts of a destination's timeline on the executor, and waits for them. Called on
    /// the destination's thread.
    func runScripts(
        _ event: any RawEvent, _ type: PluginType, _ visited: DestinationVisit, at queue: DestinationQueue,
        of inFlight: InFlightEvent
    ) -> (any RawEvent)?
    /// A destination did not get events.
    func lost(_ count: Int, at queue: DestinationQueue)
    /// Passes a diagnostic to the observers of the client. On any thread.
    var report: @Sendable (Diagnostic) -> Void { get }
}
