import Dispatch
import Foundation
import TributaryJSON

/// Takes events from the inbox through the timeline, in order, on the client's executor.
///
/// `StartGate` decides when that begins, `TurnScheduler` when there is a turn, and `PluginManager` which plugins see events.
///
/// Unchecked because all mutable state is only touched on the executor, unless it stands behind a lock.
final class Pipeline: @unchecked Sendable {
    /// A event queue that another process left, and who waits until it is empty.
    private struct Member {
        let eventQueue: EventQueue
        let whenEmpty: @Sendable () -> Void
    }

    static let bytesPerTurn = 256 * 1024
    /// The place in the inbox is written down after that many events, or seconds.
    private static let eventsPerCommit = 256
    private static let secondsPerCommit: TimeInterval = 1

    let executor: ClientExecutor
    let start: StartGate
    let turns: TurnScheduler
    let plugins: PluginManager
    let destinations: DeviceDestinations
    let eventQueue: EventQueue
    let timeline: Timeline
    let runner: TimelineRunner
    let counterStore: CounterStore
    let traces: TraceSender?
    let flushing: FlushScheduler
    let report: @Sendable (Diagnostic) -> Void
    private let onSettings: @Sendable (Settings) -> Void
    private let onDue: @Sendable () -> Void

    /// The uptime when the client was made.
    private let madeAt: TimeInterval
    /// This client's event queue, then those that are being emptied.
    private var order: TurnOrder<Member>
    /// Bytes in the inbox when its files were last looked after, before the start.
    private var preparedSize = 0
    private var isCommitScheduled = false
    private var startWaiters = StartWaiters()
    /// Callers that wait for the end; empty until one has asked for it.
    private var endings: [@Sendable () -> Void] = []

    /// The end was asked for: no event is begun any more.
    private let isEnding = LockBox(false)
    let closures = LockBox(PendingClosures())
    private let latestSettings = LockBox<Settings?>(nil)

    /// - Parameters:
    ///   - waitingTimeout: seconds that a plugin may keep the client waiting.
    ///   - destinationTimeout: seconds that one call of a destination may take.
    ///   - onSettings: called with settings that apply once events are processed.
    ///   - onDue: called when a flush policy asks for delivery.
    init(
        eventQueue: EventQueue, timeline: Timeline, counterStore: CounterStore, time: any TimeSource,
        waitingTimeout: TimeInterval, destinationTimeout: TimeInterval, traces: TraceSender?, flushing: FlushScheduler,
        report: @escaping @Sendable (Diagnostic) -> Void,
        onSettings: @escaping @Sendable (Settings) -> Void, onDue: @escaping @Sendable () -> Void
    ) {
        self.eventQueue = eventQueue
        self.timeline = timeline
        self.counterStore = counterStore
        self.traces = traces
        self.flushing = flushing
        self.report = report
        self.onSettings = onSettings
        self.onDue = onDue
        order = TurnOrder(Member(eventQueue: eventQueue, whenEmpty: {}))
        madeAt = time.uptime
        executor = ClientExecutor(time: time)
        runner = TimelineRunner(counterStore: counterStore, executorKey: executor.key, report: report)
        start = StartGate(executor: executor, waitingTimeout: waitingTimeout, report: report)
        turns = TurnScheduler(executor: executor, inbox: eventQueue.inbox)
        destinations = DeviceDestinations(
            executor: executor, timeline: timeline, runner: runner, turns: turns,
            timeout: destinationTimeout, report: report)
        plugins = PluginManager(executor: executor, timeline: timeline, runner: runner, turns: turns, start: start)
        turns.begin { [weak self] in self?.takeTurn() }
        start.whenChanged { [weak self] in self?.beginIfPossible() }
        look(after: eventQueue)
    }

    // MARK: From outside, any thread

    /// Lets processing begin as soon as the start's conditions are met.
    func begin() {
        // What the opening of the files left undone.
        executor.perform { self.eventQueue.prepare() }
        scheduleCheck()
        start.begin()
    }

    /// Keeps closures until the event with that id is processed. When too many wait, new ones are not kept, and their
    /// event is given up when its turn comes: without them it might say what they were to take out.
    func keep(_ new: [EnrichmentClosure], for messageId: String) {
        guard !closures.withLock({ $0.keep(new, for: messageId) }) else { return }
        report(Diagnostic(.eventDropped, "too many calls with closures wait, event \(messageId) cannot keep its own"))
    }

    /// The settings that apply; nil until some do.
    var currentSettings: Settings? { latestSettings.withLock { $0 }.map(plugins.effective) }

    func apply(_ settings: Settings) {
        latestSettings.withLock { $0 = settings }
        executor.perform { self.install(settings) }
    }

    /// Events in the client's own inbox that have not been processed.
    var unprocessed: Int { eventQueue.unprocessed }

    /// What has not gone through the plugins yet, and who has it; nil when there is nothing.
    var backlog: UploadObstacle? {
        guard !isEnding.withLock({ $0 }), unprocessed > 0 else { return nil }
        let plugin = runner.atWork.withLock { $0 }
        let worker = plugin.map { ", \($0) is at work on one" } ?? ""
        return UploadObstacle(.processing, "events wait to be processed: \(unprocessed)\(worker)")
    }

    /// Takes a event queue that another process left through the timeline as well; calls back on the executor once its inbox
    /// is empty, or cannot be read now.
    func empty(_ eventQueue: EventQueue, _ completion: @escaping @Sendable () -> Void) {
        look(after: eventQueue)
        executor.perform { [self] in
            guard !start.state.isEnding else { return completion() }
            order.append(Member(eventQueue: eventQueue, whenEmpty: completion))
            turns.wake()
        }
    }

    /// Ends a purge that every event queue has begun, between two events; then calls back.
    ///
    /// Closures of calls before go too: their events are gone.
    func purge(_ completion: @escaping @Sendable () -> Void) {
        let given = closures.withLock { $0.messageIds }
        executor.perform { [self] in
            for member in order.all { _ = member.eventQueue.finishPurge() }
            closures.withLock { $0.remove(given) }
            turns.wake()
            completion()
        }
    }

    private func look(after eventQueue: EventQueue) {
        eventQueue.whenWritten { [turns] in turns.wake() }
        eventQueue.inbox.whenReadable { [turns] in turns.wake() }
        eventQueue.outbox.whenRoom { [turns] in turns.wake() }
        for log in [eventQueue.inbox, eventQueue.outbox] {
            log.whenDetached { [executor, weak eventQueue] in
                guard let eventQueue else { return }
                executor.perform { eventQueue.check() }
            }
        }
    }

    /// Looks after the files even when nothing is tracked.
    private func scheduleCheck() {
        executor.schedule(after: Limits.storageCheckInterval) { [weak self] in
            guard let self, !start.state.isEnding else { return }
            eventQueue.check()
            scheduleCheck()
        }
    }

    // MARK: The start

    func onReady(_ handler: @escaping @Sendable () -> Void) {
        executor.perform { [self] in
            startWaiters.add(handler)
            if start.state.hasBegun { tellReady() }
        }
    }

    /// Calls back when events are processed, or when the client ends without that.
    func onReadyOrEnd(_ handler: @escaping @Sendable () -> Void) {
        executor.perform { [self] in
            guard !start.state.isOver else { return handler() }
            startWaiters.addUntilEnd(handler)
            if start.state.hasBegun { tellReady() }
        }
    }

    /// Destinations have the settings in their queues; what comes behind comes after them.
    private func tellReady() {
        let handlers = startWaiters.takeReady()
        guard !handlers.isEmpty else { return }
        destinations.settle {
            DispatchQueue.global().async { for handler in handlers { handler() } }
        }
    }

    private func install(_ settings: Settings) {
        plugins.install(settings)
        start.state.settingsCame(isSwitchedOff: settings.isCollectionSwitchedOff)
        if start.state.hasBegun { onSettings(settings) }
        beginIfPossible()
    }

    private func beginIfPossible() {
        guard start.state.begin() else { return turns.wake() }
        onSettings(runner.settings)
        tellReady()
        deliverAfterLongWait()
        turns.wake()
    }

    /// What has waited for the start that long is not made to wait for a flush policy as well.
    private func deliverAfterLongWait() {
        guard executor.uptime - madeAt >= Limits.longStart, !eventQueue.isProcessed else { return }
        turns.barrier { [eventQueue] in eventQueue.uploader.demand() }
    }

    // MARK: The end

    /// Ends processing after the event that is in the timeline right now, and lets go of the plugins.
    ///
    /// Not after the turn: to the plugins of a client that was released, the client is gone, so one that tracks would
    /// silently not do so.
    /// - Parameter isPatient: whether device-mode destinations get what waits for them, as far as they do not take long.
    ///   What they do not get now, they get at the next start.
    func stop(isPatient: Bool, _ completion: @escaping @Sendable () -> Void) {
        isEnding.withLock { $0 = true }
        executor.perform { [self] in
            guard !start.state.isOver else { return completion() }
            endings.append(completion)
            guard isPatient else { return conclude() }
            guard start.state.settle() else { return }
            turns.end()
            destinations.settle { self.conclude() }
            if !start.state.isOver { executor.schedule(after: Limits.destinationTimeout) { self.conclude() } }
        }
    }

    private func conclude() {
        guard start.state.conclude() else { return }
        turns.end()
        destinations.conclude()
        for member in order.all { member.eventQueue.commit() }
        plugins.endAll()
        for barrier in turns.takeAllBarriers() { barrier() }
        for handler in startWaiters.takeEnd() { handler() }
        for ending in endings { ending() }
        endings = []
    }

    // MARK: Turns

    private func takeTurn() {
        guard start.state.mayProcess else { return waitForStart() }
        for _ in 0..<order.count {
            let eventQueue = order.current.eventQueue
            if processNext(of: eventQueue) {
                order.pass()
                askFlushPolicies()
                finishBarriers()
                return turns.wake()
            }
            if eventQueue.isOwn || !eventQueue.isFinished { order.pass() } else { release() }
        }
        idle()
    }

    /// Lets go of the event queue of another process that has its turn.
    private func release() {
        guard let member = order.leave() else { return }
        member.eventQueue.commit()
        member.whenEmpty()
    }

    /// Processes on the caller's thread what is in the inbox now, and waits until destinations have dealt with it. Callers come
    /// in turn with one another and with the client's own work; what a plugin tracks meanwhile is processed behind the event
    /// that it sees.
    func processOnCaller() {
        guard !executor.isPluginCalling else { return turns.wake() }
        let isMain = Thread.isMainThread
        let isSettled = DispatchSemaphore(value: 0)
        let isWaiting = executor.queue.sync { () -> Bool in
            guard start.state.mayProcess else {
                turns.wake()
                return false
            }
            // At the end of the client nothing is begun any more, and its end waits for this queue.
            while !isEnding.withLock({ $0 }), processNext(of: eventQueue) {
                askFlushPolicies()
                finishBarriers()
            }
            idle()
            // One that waits for the main thread would wait for its caller.
            return destinations.settle(forCallerOnMainThread: isMain) { isSettled.signal() }
        }
        // A destination that is stuck is not waited for; the time here is for one that a test's clock never finds so.
        if isWaiting { _ = isSettled.wait(timeout: .now() + destinations.timeout + Limits.destinationTimeout) }
    }

    /// Before events are processed, they only become more, and nothing else keeps their number down.
    private func waitForStart() {
        let size = eventQueue.inbox.byteCount
        guard !start.state.isEnding, abs(size - preparedSize) >= Self.bytesPerTurn else { return }
        preparedSize = size
        eventQueue.prepare()
    }

    /// Processes the next events of a event queue; false when there are none now.
    private func processNext(of eventQueue: EventQueue) -> Bool {
        guard eventQueue.hasRoom else {
            _ = eventQueue.uploader.flush(isPatient: false) { _ in }
            return false
        }
        guard destinations.haveRoom() else { return false }
        var (records, end) = eventQueue.next(maxBytes: Self.bytesPerTurn, maxCount: Limits.eventsPerTurn)
        if let purged = eventQueue.finishPurge() { records.removeAll { purged >= $0.sequence } }
        guard !records.isEmpty else {
            eventQueue.position = end
            decideOnLeft(of: eventQueue)
            return false
        }
        process(records, of: eventQueue)
        decideOnLeft(of: eventQueue)
        if eventQueue.uncommitted >= Self.eventsPerCommit {
            eventQueue.commit()
            eventQueue.prepare()
        }
        return true
    }

    private func process(_ records: [QueuedEvent], of eventQueue: EventQueue) {
        eventQueue.makeRoom(for: records.count)
        eventQueue.gather()
        let life = eventQueue.inboxLife
        for (number, record) in records.enumerated() where !isEnding.withLock({ $0 }) {
            // A call that was made between two events takes effect between them.
            if turns.hasWork(at: self.eventQueue.position) {
                turns.makeChanges(at: self.eventQueue.position)
                finishBarriers()
            }
            let isProgress = process(record, origin: life?.tag(of: record), of: eventQueue)
            eventQueue.position = record.sequence
            if isProgress { eventQueue.uncommitted += 1 }
            if number % Limits.eventsPerDispatch == 0 {
                eventQueue.writeOut()
                destinations.dispatch()
            }
        }
        eventQueue.endGathering()
        destinations.dispatch()
    }

    private func askFlushPolicies() {
        if flushing.isDue() { onDue() }
    }

    private func idle() {
        eventQueue.maintain()
        finishBarriers()
        guard eventQueue.uncommitted > 0, !isCommitScheduled else { return }
        isCommitScheduled = true
        executor.schedule(after: Self.secondsPerCommit) { [weak self] in
            self?.isCommitScheduled = false
            self?.eventQueue.commit()
        }
    }

    private func finishBarriers() {
        let done = turns.takeBarriers(at: eventQueue.position)
        guard !done.isEmpty else { return }
        eventQueue.commit()
        askFlushPolicies()
        for barrier in done { barrier() }
    }
}
