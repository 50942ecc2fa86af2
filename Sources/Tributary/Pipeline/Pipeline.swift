import Dispatch
import Foundation
import TributaryJSON

/// Takes events from the inbox through the timeline, in order, on the client's executor.
///
/// `StartGate` decides when that begins, `TurnScheduler` when there is a turn, and `PluginManager` which plugins see
/// events.
///
/// Unchecked because all mutable state is only touched on the executor or is behind a lock.
final class Pipeline: @unchecked Sendable {
    /// An event queue that another process left, and the completion to call when it is empty.
    private struct Member {
        let eventQueue: EventQueue
        let whenEmpty: @Sendable () -> Void
    }

    static let bytesPerTurn = 256 * 1024
    /// The number of events after which the place in the inbox is stored. A delivery stores it as well.
    private static let eventsPerCommit = 256
    /// Seconds after which it is stored without a delivery. Destinations on the device get the events behind it again
    /// after a crash. Without them the outbox says which events were processed, so there is no hurry.
    private static let (secondsPerCommit, secondsPerCalmCommit) = (1.0, 60.0)

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
    /// They get the trace of each event, on the client's executor.
    let traceObservers = Observers<StageTrace>()
    let flushing: FlushScheduler
    let report: @Sendable (Diagnostic) -> Void
    /// Set before events are processed.
    private var onSettings: @Sendable (Settings) -> Void = { _ in }
    private var onDue: @Sendable () -> Void = {}

    /// The uptime when the client was made.
    private let madeAt: TimeInterval
    /// This client's event queue, then the queues that are being emptied.
    private var order: TurnOrder<Member>
    /// The bytes in the inbox at the last care of its files before the start.
    private var preparedSize = 0
    private var nextCommit: (work: any ScheduledWork, isCalm: Bool)?
    private let nextCheck = LockBox<(any ScheduledWork)?>(nil)
    private var startWaiters = StartWaiters()
    /// Callers that wait for the end; empty until the client is ended.
    private var endings: [@Sendable () -> Void] = []

    /// Whether the end has begun: the pipeline begins no further event.
    private let isEnding = LockBox(false)
    let closures = LockBox(PendingClosures())
    private let latestSettings = LockBox<Settings?>(nil)
    /// Where the settings come from that events are processed with. Only on the executor.
    private(set) var settingsOrigin = SettingsOrigin.workspace

    /// - Parameters:
    ///   - waitingTimeout: the longest time in seconds that a plugin can delay the start.
    ///   - destinationTimeout: the longest time in seconds for one call of a destination.
    init(
        eventQueue: EventQueue, timeline: Timeline, counterStore: CounterStore, time: any TimeSource,
        waitingTimeout: TimeInterval, destinationTimeout: TimeInterval, traces: TraceSender?, flushing: FlushScheduler,
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.eventQueue = eventQueue
        self.timeline = timeline
        self.counterStore = counterStore
        self.traces = traces
        self.flushing = flushing
        self.report = report
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
        eventQueue.handle { $0.restoring = { [weak plugins] in plugins?.restoreFiles() ?? [] } }
        eventQueue.uploader.whenEmptied { [weak self] in
            guard let self else { return }
            executor.perform { self.endChecks() }
        }
    }

    // MARK: Calls on any thread

    /// Lets processing begin when the conditions of the start hold.
    /// - Parameters:
    ///   - onSettings: called with the settings that apply, once events are processed.
    ///   - onDue: called when a flush policy decides to deliver.
    func begin(onSettings: @escaping @Sendable (Settings) -> Void, onDue: @escaping @Sendable () -> Void) {
        executor.perform { [self] in
            (self.onSettings, self.onDue) = (onSettings, onDue)
            // Work that the opening of the files left for later.
            eventQueue.prepare()
        }
        scheduleCheck(isFirst: true)
        start.begin()
    }

    /// Keeps closures until the event with that id is processed. When too many wait, new ones are not kept, and the
    /// client drops their event at its turn: the closures might have removed data that must not be sent.
    func keep(_ new: [EnrichmentClosure], for messageId: String) {
        guard !closures.withLock({ $0.keep(new, for: messageId) }) else { return }
        report(
            Diagnostic(
                .eventDropped, "too many calls with closures wait, so event \(messageId) is dropped with its closures"))
    }

    /// The settings that apply; nil before the first settings.
    var currentSettings: Settings? { latestSettings.withLock { $0 }.map(plugins.effective) }

    func apply(_ settings: Settings, from origin: SettingsOrigin = .workspace) {
        latestSettings.withLock { $0 = settings }
        executor.perform {
            self.settingsOrigin = origin
            self.install(settings)
        }
    }

    /// Events in the client's own inbox that have not been processed.
    var unprocessed: Int { eventQueue.unprocessed }

    /// How many events have not gone through the plugins, and which plugin works; nil when there are none.
    var backlog: UploadObstacle? {
        guard !isEnding.withLock({ $0 }), unprocessed > 0 else { return nil }
        let plugin = runner.atWork.withLock { $0 }
        let worker = plugin.map { "; the plugin \($0) works on one" } ?? ""
        return UploadObstacle(.processing, "events wait to be processed: \(unprocessed)\(worker)")
    }

    /// Processes the event queue of an ended process in turn with the client's own. Calls back on the executor when its
    /// inbox is empty or cannot be read now.
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
    /// The closures of earlier calls are dropped, too, because their events are gone.
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
        let wake: @Sendable () -> Void = { [turns] in turns.wake() }
        eventQueue.handle { $0.written = wake }
        eventQueue.inbox.handle { $0.readable = wake }
        eventQueue.outbox.handle { $0.room = wake }
        for log in [eventQueue.inbox, eventQueue.outbox] {
            log.handle { handlers in
                handlers.detached = { [executor, weak eventQueue] in
                    guard let eventQueue else { return }
                    executor.perform { eventQueue.check() }
                }
            }
        }
    }

    /// Checks the files at intervals while events wait, even when no more are tracked. When nothing waits, the next event
    /// begins again, so that nothing wakes the device meanwhile.
    /// - Parameter isFirst: whether the client has just been made, so that it is checked whatever waits.
    private func scheduleCheck(isFirst: Bool = false) {
        nextCheck.withLock { next in
            guard next == nil, isFirst || eventQueue.needsCare else { return }
            next = executor.schedule(after: eventQueue.checkInterval) { [weak self] in
                guard let self, !start.state.isEnding else { return }
                nextCheck.withLock { $0 = nil }
                eventQueue.check()
                scheduleCheck()
            }
        }
    }

    /// Ends the checks when nothing waits any more.
    private func endChecks() {
        guard !eventQueue.needsCare else { return }
        nextCheck.withLock { next in
            next?.cancel()
            next = nil
        }
    }

    // MARK: The start

    func onReady(_ handler: @escaping @Sendable () -> Void) {
        executor.perform { [self] in
            startWaiters.add(handler)
            if start.state.hasBegun { tellReady() }
        }
    }

    /// Calls back when events are processed, or when the client ends earlier.
    func onReadyOrEnd(_ handler: @escaping @Sendable () -> Void) {
        executor.perform { [self] in
            guard !start.state.isOver else { return handler() }
            startWaiters.addUntilEnd(handler)
            if start.state.hasBegun { tellReady() }
        }
    }

    /// The settings are in the queues of the destinations. Whatever is queued later comes after the settings.
    private func tellReady() {
        let handlers = startWaiters.takeReady()
        guard !handlers.isEmpty else { return }
        destinations.settle {
            DispatchQueue.global().async { for handler in handlers { handler() } }
        }
    }

    private func install(_ settings: Settings) {
        plugins.install(settings)
        start.change { $0.settingsCame(isSwitchedOff: settings.isCollectionSwitchedOff) }
        if start.state.hasBegun { onSettings(settings) }
        beginIfPossible()
    }

    private func beginIfPossible() {
        guard start.change({ $0.begin() }) else { return turns.wake() }
        onSettings(runner.settings)
        tellReady()
        deliverAfterLongWait()
        turns.wake()
    }

    /// Delivers events that have waited long for the start, without waiting for a flush policy.
    private func deliverAfterLongWait() {
        guard executor.uptime - madeAt >= Limits.longStart, !eventQueue.isProcessed else { return }
        turns.barrier { [eventQueue] in eventQueue.uploader.demand() }
    }

    // MARK: The end

    /// Ends processing after the event that is in the timeline now, and releases the plugins.
    ///
    /// It does not wait for the end of the turn. When an app has released the client, its plugins have no client any
    /// more, so a plugin that tracks would silently do nothing.
    /// - Parameter isPatient: whether device-mode destinations get their waiting events, as far as they are fast. They
    ///   get the rest at the next start.
    func stop(isPatient: Bool, _ completion: @escaping @Sendable () -> Void) {
        isEnding.withLock { $0 = true }
        executor.perform { [self] in
            guard !start.state.isOver else { return completion() }
            endings.append(completion)
            guard isPatient else { return conclude() }
            guard start.change({ $0.settle() }) else { return }
            turns.end()
            destinations.settle { self.conclude() }
            if !start.state.isOver { executor.schedule(after: Limits.destinationTimeout) { self.conclude() } }
        }
    }

    private func conclude() {
        guard start.change({ $0.conclude() }) else { return }
        turns.end()
        destinations.conclude()
        // The last chance for events when the files were deleted.
        if eventQueue.needsCare { eventQueue.check() }
        for member in order.all { member.eventQueue.commitAtEnd() }
        plugins.endAll()
        for barrier in turns.takeAllBarriers() { barrier() }
        for handler in startWaiters.takeEnd() { handler() }
        for ending in endings { ending() }
        endings = []
    }

    // MARK: Turns

    private func takeTurn() {
        if !start.state.isEnding { scheduleCheck() }
        guard start.mayProcess else { return waitForStart() }
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

    /// Releases the queue of another process when its turn has come.
    private func release() {
        guard let member = order.leave() else { return }
        member.eventQueue.commit()
        member.whenEmpty()
    }

    /// Processes the events in the inbox on the caller's thread, and waits until destinations have finished them.
    /// Callers wait for each other and for work on the client's executor. An event that a plugin tracks meanwhile comes
    /// after the event that the plugin sees.
    func processOnCaller() {
        guard !executor.isPluginCalling else { return turns.wake() }
        let isMain = Thread.isMainThread
        let isSettled = DispatchSemaphore(value: 0)
        let isWaiting = executor.queue.sync { () -> Bool in
            guard start.mayProcess else {
                turns.wake()
                return false
            }
            // When the client ends, no further event is begun, and the end waits for this queue.
            while !isEnding.withLock({ $0 }), processNext(of: eventQueue) {
                askFlushPolicies()
                finishBarriers()
            }
            idle()
            // A destination that needs the main thread would wait for the caller.
            return destinations.settle(forCallerOnMainThread: isMain) { isSettled.signal() }
        }
        // A stuck destination is not waited for. This limit is for tests, in which the clock may never declare a
        // destination stuck.
        if isWaiting { _ = isSettled.wait(timeout: .now() + destinations.timeout + Limits.destinationTimeout) }
    }

    /// Bounds the inbox before the start: until then it only grows.
    private func waitForStart() {
        if start.state.isSwitchedOff { for answer in turns.takeSwitchedOff() { answer() } }
        let size = eventQueue.inbox.byteCount
        guard !start.state.isEnding, abs(size - preparedSize) >= Self.bytesPerTurn else { return }
        preparedSize = size
        eventQueue.prepare()
    }

    /// Processes the next events of an event queue; false when there are none.
    private func processNext(of eventQueue: EventQueue) -> Bool {
        guard eventQueue.hasRoom else {
            _ = eventQueue.uploader.flush(isPatient: false) { _ in }
            return false
        }
        guard start.mayProcess, destinations.haveRoom(), !isHeld(eventQueue) else { return false }
        let (records, end) = eventQueue.next(maxBytes: Self.bytesPerTurn, maxCount: Limits.eventsPerTurn)
        guard !records.isEmpty else {
            eventQueue.position = end
            decideOnLeft(of: eventQueue)
            return false
        }
        let isProgress = process(records, of: eventQueue)
        decideOnLeft(of: eventQueue)
        if eventQueue.uncommitted >= Self.eventsPerCommit {
            eventQueue.commit()
            eventQueue.prepare()
        }
        return isProgress
    }

    /// Whether the next event of a queue has to wait, because a plugin that was added before it has not begun.
    private func isHeld(_ eventQueue: EventQueue) -> Bool {
        eventQueue.isOwn && eventQueue.position >= turns.heldAfter
    }

    /// - Returns: whether an event was processed.
    private func process(_ records: [QueuedEvent], of eventQueue: EventQueue) -> Bool {
        let first = eventQueue.position
        eventQueue.makeRoom(for: records.count)
        eventQueue.gather()
        let life = eventQueue.inboxLife
        var nextWork = turns.nextWork
        for (number, record) in records.enumerated() where !isEnding.withLock({ $0 }) {
            // A change that was requested between two events takes effect between them.
            if self.eventQueue.position >= nextWork {
                turns.makeChanges(at: self.eventQueue.position)
                finishBarriers()
                nextWork = turns.nextWork
                if isHeld(eventQueue) { break }
            }
            // A plugin may have asked for time during the last event or change.
            guard start.mayProcess else { break }
            let isProgress = process(record, origin: life?.tag(of: record), of: eventQueue)
            eventQueue.position = record.sequence
            if isProgress { eventQueue.uncommitted += 1 }
            if number % Limits.eventsPerDispatch == 0 {
                eventQueue.writeOut()
                destinations.dispatch()
            }
        }
        eventQueue.keepLeft(records)
        eventQueue.endGathering()
        destinations.dispatch()
        return eventQueue.position > first
    }

    private func askFlushPolicies() {
        if flushing.isDue() { onDue() }
    }

    private func idle() {
        eventQueue.maintain()
        finishBarriers()
        scheduleCommit()
    }

    private func scheduleCommit() {
        guard eventQueue.uncommitted > 0 else { return }
        let isCalm = !runner.hasDeviceDestinations
        if let nextCommit {
            guard nextCommit.isCalm, !isCalm else { return }
            nextCommit.work.cancel()
        }
        let work = executor.schedule(after: isCalm ? Self.secondsPerCalmCommit : Self.secondsPerCommit) { [weak self] in
            self?.nextCommit = nil
            self?.eventQueue.commit()
        }
        nextCommit = (work, isCalm)
    }

    /// Stores the place in the inbox. On the executor.
    func commit() {
        eventQueue.commit()
        guard eventQueue.uncommitted == 0 else { return }
        nextCommit?.work.cancel()
        nextCommit = nil
    }

    private func finishBarriers() {
        let done = turns.takeBarriers(at: eventQueue.position)
        guard !done.isEmpty else { return }
        commit()
        askFlushPolicies()
        for barrier in done { barrier() }
    }
}
