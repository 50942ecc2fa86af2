import Dispatch
import Foundation

/// The bounded queue of one device-mode destination. A thread of its own takes the work from it in order.
///
/// A slow destination, or a slow plugin of its timeline, delays neither other destinations nor the server. When one
/// piece of work takes too long, the destination counts as stuck, and the pipeline does not wait for it until it
/// returns.
///
/// Unchecked because what both sides touch is behind the lock of `mailbox`; `visitedEvent` and `visited` are only touched on `queue`,
/// everything else that changes on the client's executor.
final class DestinationQueue: @unchecked Sendable {
    /// The result of a piece of work.
    enum Outcome {
        /// The destination and its plugins have dealt with an event.
        case visited(DestinationVisit, InFlightEvent)
        /// A call that carries no event was made.
        case called
    }

    /// Scripts in the destination's timeline, which are called on the executor.
    enum Scripts {
        /// There are none.
        case none
        /// They have seen the event; there are no plugins that come before them.
        case done
        /// They come behind the plugins of their type.
        case betweenPlugins
    }

    private enum Work {
        case event(any RawEvent, Scripts, InFlightEvent)
        case call(isVital: Bool, @Sendable (any Plugin) -> Void)

        /// Whether it is done although the destination ends.
        var isVital: Bool { if case .call(true, _) = self { true } else { false } }
    }

    /// The state that the executor and the destination's thread share.
    private struct Mailbox {
        var waiting = FIFO<Work>()
        var begun = 0
        var outcomes: [Outcome] = []
        var isWorking = false
        /// Whether the executor was told of outcomes that it has not taken.
        var isTelling = false
        /// Whether it waits for no turn.
        var isFree = true
        /// The last work for which the thread was woken, and the time.
        var woken = (work: 0, at: 0.0)
    }

    let plugin: any Plugin
    let name: String
    let key: String
    /// Counts what the destination took.
    let deliveries: CounterStore.Deliveries
    private let capacity: Int
    private let timeout: TimeInterval
    private let queue: DispatchQueue
    private let executor: ClientExecutor
    private weak var owner: (any DestinationQueueOwner)?
    /// With whom it takes turns; nil when it gets its calls whatever others do.
    private let order: DestinationOrder?
    private let mailbox: LockBox<Mailbox>
    private let executorKey: ExecutorKey
    /// The destination's own; nil when it is a plugin without one.
    private let timeline: Timeline?

    // On the executor.
    private var outgoing: [Work] = []
    /// The event that waits for each piece of work that was not reported back, in order.
    private var open = FIFO<Countdown?>()
    private var sent = 0
    private var ended = 0
    /// Up to there nobody waits any more.
    private var released = 0
    private var lost = 0
    private var isWatched = false
    private var isEnded = false
    /// Whether it waits for no turn: it takes none, or held up the others.
    private var isFree: Bool
    private(set) var isStuck = false
    /// It had its chance to catch up: events that find no place are lost to it until half of its queue is free.
    private var isLagging = false

    // On the destination's thread.
    private var visitedEvent: (event: any RawEvent, count: Int)?
    private var visited = DestinationVisit()

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
        mailbox = LockBox(Mailbox(isFree: order == nil))
        capacity = Limits.destinationEvents
        queue = DispatchQueue(label: "tributary.destination.\(key)", qos: .utility)
        executorKey = ExecutorKey(beside: executor.key)
        timeline = (plugin as? any DestinationPlugin)?.timeline
        executorKey.queue = self
        queue.setSpecific(key: ExecutorKey.specific, value: executorKey)
    }

    // MARK: On the executor

    /// Whether it makes sense to wait until there is more room.
    var isFull: Bool { !isStuck && !isLagging && !isEnded && open.count > capacity - Limits.eventsPerTurn }

    /// Whether it could go on, so that it is itself to blame when it does not.
    var mayWork: Bool { isFree || order?.isTurn(of: self) ?? true }

    /// The plugins of the destination's timeline that see events on the executor.
    var pluginsOnExecutor: [Timeline.Entry] { timeline?.snapshot.onExecutor ?? [] }

    /// Whether plugins stand in the destination's timeline that see events on its queue before it does.
    var hasPlugins: Bool {
        timeline?.entries.contains { !$0.isOnExecutor && ($0.type == .before || $0.type == .enrichment) } ?? false
    }

    /// Queues an event. Without room, it is lost to this destination.
    func send(_ event: any RawEvent, _ scripts: Scripts, _ inFlight: InFlightEvent) {
        guard !isEnded else { return }
        guard open.count < capacity else { return lose() }
        add(.event(event, scripts, inFlight), inFlight)
    }

    /// Queues a call; it is made after the events that were queued before.
    /// - Parameter isVital: whether it is made in any case, however many wait and also when the destination ends: what it
    ///   begins may keep events from the destination, what it ends may be waited for.
    /// - Returns: whether it is going to be made.
    @discardableResult
    func call(
        for waiter: Countdown? = nil, isVital: Bool = false, _ call: @escaping @Sendable (any Plugin) -> Void
    ) -> Bool {
        guard !isEnded, isVital || open.count < capacity * 2 else { return false }
        add(.call(isVital: isVital, call), waiter)
        dispatch()
        return true
    }

    /// Puts what was queued into the mailbox of the destination's thread, and wakes the thread.
    func dispatch() {
        guard !outgoing.isEmpty else { return }
        let begun = mailbox.withLock { mailbox in
            for work in outgoing { mailbox.waiting.append(work) }
            return mailbox.begun
        }
        outgoing.removeAll(keepingCapacity: true)
        let wasWoken = wakeThread()
        watch(begun: wasWoken ? begun + 1 : begun, for: timeout)
    }

    /// Nothing is begun any more but vital calls and the last one.
    /// - Parameter isRemoved: whether to release the events that are given up. A client that ends keeps them in its
    ///   inbox instead.
    func end(isRemoved: Bool, _ last: @escaping @Sendable (any Plugin) -> Void) {
        guard !isEnded else { return }
        dispatch()
        let (unbegun, vital) = mailbox.withLock { mailbox in
            let unbegun = mailbox.waiting.count
            mailbox.waiting.removeAll { !$0.isVital }
            return (unbegun, mailbox.waiting.count)
        }
        leave()
        let begun = open.count - unbegun
        var number = 0
        var givenUp: [Countdown] = []
        open.forEach { waiter in
            number += 1
            if number > begun, ended + number > released, let waiter { givenUp.append(waiter) }
        }
        open.removeLast(unbegun)
        for _ in 0..<vital { open.append(nil) }  // nobody waits for these
        sent -= unbegun - vital
        released = min(released, sent)
        add(.call(isVital: true, last), nil)
        dispatch()
        isEnded = true
        if isRemoved { for waiter in givenUp { waiter.release() } }
    }

    /// It had long enough to make room.
    func giveUpWaiting() {
        guard isFull else { return }
        isLagging = true
        leave()
    }

    private func add(_ work: Work, _ waiter: Countdown?) {
        sent += 1
        if !isFree { order?.append(self) }
        if isStuck { released = sent } else { waiter?.hold() }
        open.append(waiter)
        outgoing.append(work)
    }

    private func lose() {
        lost += 1
        owner?.lost(1, at: self)
        guard lost == 1 else { return }
        owner?.report(
            Diagnostic(
                .eventDropped, "\(capacity) events wait for the destination, it does not get those that come now",
                reason: .destinationFull, plugin: name, destination: key))
    }

    /// Takes what the destination's thread has done.
    private func receive() {
        let outcomes = mailbox.withLock { mailbox in
            defer { mailbox.outcomes.removeAll(keepingCapacity: true) }
            mailbox.isTelling = false
            return mailbox.outcomes
        }
        guard !outcomes.isEmpty else { return }
        if isStuck { recover() }
        let owner = owner
        for outcome in outcomes {
            ended += 1
            let waiter = open.popFirst() ?? nil
            if case .visited(let visit, let inFlight) = outcome { owner?.took(visit, at: self, of: inFlight) }
            if ended > released { waiter?.release() }
        }
        if open.count <= capacity / 2 { catchUp() }
        if open.isEmpty { takeTurnsAgain() }
        owner?.wake()
    }

    private func catchUp() {
        isLagging = false
        guard lost > 0 else { return }
        owner?.report(
            Diagnostic(
                .eventDropped, "the destination has room again; it did not get \(lost) events",
                reason: .destinationFull, plugin: name, destination: key, count: lost))
        lost = 0
    }

    // MARK: Turns

    /// Holds up those no longer with whom it takes turns.
    private func leave() {
        guard let order, !isFree else { return }
        isFree = true
        mailbox.withLock { $0.isFree = true }
        order.leave(self)?.wakeThread()
        wakeThread()
    }

    /// Nothing waits any more that has no turn.
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

    /// The piece of work that was seen and is still at it takes too long. When each began is not noted, that would cost
    /// more than the work; so one that began in the meantime gets all of the time again.
    private func check(_ seen: Int) {
        isWatched = false
        let (isWorking, begun, woken) = mailbox.withLock { ($0.isWorking, $0.begun, $0.woken) }
        guard isWorking else {
            // It waits for its turn, and is not looked at when that comes.
            if !isFree, !open.isEmpty { watch(begun: begun, for: timeout) }
            return
        }
        // Woken and not yet at it is the same as at it.
        let rest = begun <= woken.work ? woken.at + timeout - executor.uptime : begun == seen ? 0 : timeout
        guard rest <= 0 else { return watch(begun: begun, for: rest) }
        isStuck = true
        var waiting: [Countdown] = []
        var number = ended
        open.forEach { waiter in
            number += 1
            if number > released, let waiter { waiting.append(waiter) }
        }
        released = sent
        owner?.report(
            Diagnostic(
                .pluginFault, "the destination has not come back for \(timeout) s: nobody waits for it any more",
                reason: .destinationStuck, plugin: name, destination: key, count: waiting.count))
        leave()
        for waiter in waiting { waiter.release() }
        owner?.wake()
    }

    private func recover() {
        isStuck = false
        owner?.report(
            Diagnostic(
                .pluginFault, "the destination has come back", reason: .destinationRecovered, plugin: name,
                destination: key))
        let (isWorking, begun) = mailbox.withLock { ($0.isWorking, $0.begun) }
        if isWorking { watch(begun: begun, for: timeout) }
    }

    // MARK: On any thread

    /// Has the thread do what waits, unless it is at it or others have their turn first.
    /// - Returns: whether it begins now.
    @discardableResult
    private func wakeThread() -> Bool {
        let now = executor.uptime
        let isWoken = mailbox.withLock { mailbox in
            guard !mailbox.isWorking, !mailbox.waiting.isEmpty, mayWork(mailbox) else { return false }
            mailbox.isWorking = true
            mailbox.woken = (mailbox.begun + 1, now)
            return true
        }
        if isWoken { queue.async { self.work() } }
        return isWoken
    }

    private func mayWork(_ mailbox: Mailbox) -> Bool {
        mailbox.isFree || order?.isTurn(of: self) ?? true
    }

    // MARK: On the destination's thread

    private func work() {
        var outcome: Outcome?
        while let work = next(after: outcome) { outcome = perform(work) }
    }

    /// Puts down what became of the last piece of work and takes the next one.
    private func next(after outcome: Outcome?) -> Work? {
        let (work, isNews, successor) = mailbox.withLock { mailbox in
            let isNews = outcome != nil && !mailbox.isTelling
            var successor: DestinationQueue?
            if let outcome {
                mailbox.outcomes.append(outcome)
                mailbox.isTelling = true
                if !mailbox.isFree { successor = order?.finish(self) }
            }
            let work = mayWork(mailbox) ? mailbox.waiting.popFirst() : nil
            if work == nil { mailbox.isWorking = false } else { mailbox.begun += 1 }
            return (work, isNews, successor)
        }
        if let successor, successor !== self { successor.wakeThread() }
        if isNews { executor.perform { self.receive() } }
        return work
    }

    private func perform(_ work: Work) -> Outcome {
        switch work {
        case .call(_, let call):
            call(plugin)
            return .called
        case .event(let event, let scripts, let inFlight):
            visitedEvent = (event, 0)
            visited = DestinationVisit()
            defer { visitedEvent = nil }
            visit(event, scripts, inFlight)
            return .visited(visited, inFlight)
        }
    }

    /// Takes an event through the destination's own timeline. Which plugins stand there is asked now, so that one that was
    /// removed sees no event that was queued before.
    private func visit(_ event: any RawEvent, _ scripts: Scripts, _ inFlight: InFlightEvent) {
        let inner = timeline?.snapshot
        // Mostly nothing stands there.
        let isEmpty = scripts != .betweenPlugins && inner?.isEmpty ?? true
        guard let prepared = isEmpty ? event : prepare(event, scripts, inner, inFlight) else { return }
        guard let taken = call(plugin, prepared) else { return visited.end = .refused }
        visited.end = .delivered
        let isTraced = inFlight.run.recorder != nil
        let seen = isEmpty ? taken : run(taken, inner?.after ?? [], .after, isTraced: isTraced)
        // Only scripts see it then.
        if !inFlight.run.bundleVersions.isEmpty { visited.afterPlugins = seen }
    }

    /// Takes an event through what comes before the destination; nil when the event was stopped there.
    private func prepare(
        _ event: any RawEvent, _ scripts: Scripts, _ inner: Timeline.Snapshot?, _ inFlight: InFlightEvent
    ) -> (any RawEvent)? {
        let isTraced = inFlight.run.recorder != nil
        var current = event
        for type in [PluginType.before, .enrichment] {
            let entries = type == .before ? inner?.before : inner?.enrichment
            guard let next = run(current, entries ?? [], type, isTraced: isTraced) else { return nil }
            current = next
            guard scripts == .betweenPlugins else { continue }
            guard let next = owner?.runScripts(current, type, visited, at: self, of: inFlight) else {
                visited.end = .stoppedByScript
                return nil
            }
            visited.steps = []
            current = next
        }
        return current
    }

    private func run(
        _ event: any RawEvent, _ entries: [Timeline.Entry], _ type: PluginType, isTraced: Bool
    ) -> (any RawEvent)? {
        var current = event
        for entry in entries where !entry.isOnExecutor {
            let next = entry.turns.take { call(entry.plugin, current) }
            if isTraced {
                visited.steps.append(
                    DestinationVisit.Step(
                        stage: Stage(type), plugin: entry.name, before: current.json, after: next?.json))
            }
            guard let next else {
                if type != .after { visited.end = .stopped(by: entry.name) }
                return nil
            }
            current = next
        }
        return current
    }

    /// Each type by its name, because the compiler then makes a version of the call for it: found at run time, the type
    /// would be looked up again at every step.
    private func call(_ plugin: any Plugin, _ event: any RawEvent) -> (any RawEvent)? {
        switch event {
        case let event as TrackEvent: typedCall(plugin, event)
        case let event as ScreenEvent: typedCall(plugin, event)
        case let event as IdentifyEvent: typedCall(plugin, event)
        case let event as GroupEvent: typedCall(plugin, event)
        case let event as AliasEvent: typedCall(plugin, event)
        default: typedCall(plugin, event)
        }
    }

    private func typedCall<Event: RawEvent>(_ plugin: any Plugin, _ event: Event) -> (any RawEvent)? {
        switch executorKey.call(plugin, event) {
        case nil: return nil
        case .same(let result): return result
        case .other(let other):
            if let known = other.replacing(event) { return known }
            owner?.report(.unknownType(other, of: plugin.name, destination: key))
            return event
        }
    }

    /// The scripts of an event have their turn on the executor: it is not the destination that took its time until then.
    func noteTurn() { mailbox.withLock { $0.begun += 1 } }

    /// A fresh id for an event that the destination makes out of the one that it deals with; a replay makes it again.
    func derivedId() -> String? {
        guard let visitedEvent, let messageId = visitedEvent.event.messageId else { return nil }
        self.visitedEvent?.count += 1
        let place = String(Identifiers.fnv1a(key.utf8) & 0xFFFF_FFFF, radix: 16)
        return Identifiers.derived(from: "\(messageId)-\(place)", ordinal: visitedEvent.count + 1)
    }
}

/// The sender of events, as the destinations see it. Called on the executor unless it says otherwise.
protocol DestinationQueueOwner: AnyObject, Sendable {
    /// Something may go on now.
    func wake()
    /// A destination has dealt with an event.
    func took(_ visit: DestinationVisit, at queue: DestinationQueue, of inFlight: InFlightEvent)
    /// Takes an event through the scripts of a destination's timeline, on the executor, which is waited for. Called on the
    /// destination's thread.
    func runScripts(
        _ event: any RawEvent, _ type: PluginType, _ visited: DestinationVisit, at queue: DestinationQueue,
        of inFlight: InFlightEvent
    ) -> (any RawEvent)?
    /// A destination did not get events.
    func lost(_ count: Int, at queue: DestinationQueue)
    /// Informs the observers of the client. On any thread.
    var report: @Sendable (Diagnostic) -> Void { get }
}
