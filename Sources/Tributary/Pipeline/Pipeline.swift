import Dispatch
import Foundation
import TributaryJSON

/// Takes events from the inbox through the timeline, in order, on the client's one serial executor.
///
/// Unchecked because all mutable state is only touched on `queue`, unless it stands behind a lock.
final class Pipeline: @unchecked Sendable {
    /// Someone who wants to know when everything up to a place was processed.
    private struct Barrier {
        let end: LogPosition
        let completion: @Sendable () -> Void
    }

    private static let bytesPerTurn = 256 * 1024
    /// The place in the inbox is written down after that many events, or seconds.
    private static let eventsPerCommit = 256
    private static let secondsPerCommit: TimeInterval = 1
    /// Plugins added right after the client was made are waited for that long, when nothing says that all are there.
    private static let turnTimeout: TimeInterval = 0.1

    let queue = DispatchQueue(label: "tributary.pipeline", qos: .utility)
    let executorSeat = Seat()
    let lane: Lane
    let timeline: Timeline
    let cloud: CloudDestination
    let accounts: Accounts
    let time: any TimeSource
    let traces: TraceSender?
    private let waitingTimeout: TimeInterval
    let report: @Sendable (Diagnostic) -> Void
    let flushing: FlushScheduler
    private let onSettings: @Sendable (Settings) -> Void
    private let onDue: @Sendable () -> Void

    private(set) var start = StartConditions() {
        didSet { sharedBlocker.withLock { $0 = start.blocker } }
    }
    private(set) var isRunning = false
    /// The uptime when the client was made.
    private let madeAt: TimeInterval
    var isStopped = false
    let runner: TimelineRunner
    var informed: Set<ObjectIdentifier> = []
    /// This client's lane, then those that are being emptied.
    private var lanes: [Lane]
    /// Those who wait until a lane is empty, in the order of the lanes after the first.
    private var drained: [@Sendable () -> Void] = []
    /// The lane whose turn it is.
    private var turn = 0
    /// Bytes in the inbox when its files were last looked after, before the start.
    private var preparedSize = 0
    private var isCommitScheduled = false
    private var barriers: [Barrier] = []
    /// Those that the executor has not taken yet. Not handed over by the queue: a turn that is under way has to meet them
    /// before it goes past their place.
    private let newBarriers = LockBox<[Barrier]>([])
    /// Changes that the executor has not met yet, for the same reason.
    private let newChanges = LockBox(FIFO<Change>())
    /// Plugins that were removed and have not got their last call.
    let departures = LockBox(Departures())
    /// What keeps the calls of a plugin apart that stands in the timelines of several destinations, and in how many.
    var turns: [ObjectIdentifier: (turns: Turns, places: Int)] = [:]
    /// The event that is processed right now.
    var making: Making?
    /// Ends the wait until a destination has room for more events; nil while nobody waits.
    var patience: (any ScheduledWork)?
    let destinationTimeout: TimeInterval
    /// The turns of the destinations that take turns.
    let destinationOrder = DestinationOrder()
    /// Those who wait for the end; empty while nobody asked for it.
    private var endings: [@Sendable () -> Void] = []
    private(set) var isConcluded = false
    /// Those who wait until events are processed.
    var readyHandlers: [@Sendable () -> Void] = []
    /// Those who do not wait any longer than the client is there.
    var endHandlers: [@Sendable () -> Void] = []
    /// Those who wait until a destination runs.
    var destinationHandlers: [(key: String, handler: @Sendable (any DestinationPlugin) -> Void)] = []

    private let isScheduled = LockBox(false)
    /// The end was asked for: no event is begun any more.
    private let isEnding = LockBox(false)
    let closures = LockBox<[String: [EnrichmentClosure]]>([:])
    private let sharedSettings = LockBox<Settings?>(nil)
    /// The settings as they came, without the destinations that the app has enabled by itself. On the executor.
    private var installed = Settings()
    /// The keys of destinations that the app has enabled by itself.
    let manualKeys = LockBox<[ObjectIdentifier: String]>([:])
    private let sharedBlocker = LockBox<String?>(StartConditions().blocker)

    init(
        lane: Lane, timeline: Timeline, cloud: CloudDestination, accounts: Accounts,
        values: Configuration.Values, traces: TraceSender?, flushing: FlushScheduler,
        report: @escaping @Sendable (Diagnostic) -> Void, onSettings: @escaping @Sendable (Settings) -> Void,
        onDue: @escaping @Sendable () -> Void
    ) {
        self.lane = lane
        lanes = [lane]
        self.timeline = timeline
        self.cloud = cloud
        self.accounts = accounts
        runner = TimelineRunner(accounts: accounts, seat: executorSeat, report: report)
        time = values.time
        madeAt = values.time.uptime
        waitingTimeout = values.waitingTimeout
        destinationTimeout = values.destinationTimeout
        self.traces = traces
        self.report = report
        self.flushing = flushing
        self.onSettings = onSettings
        self.onDue = onDue
        queue.setSpecific(key: Seat.key, value: executorSeat)
        look(after: lane)
    }

    // MARK: From outside, any thread

    /// Lets processing begin as soon as the app had its chance to add plugins: when the main thread, on which the
    /// client was made, is done with what it does now, else after a moment.
    func begin() {
        // What the opening of the files left undone.
        queue.async { self.lane.prepare() }
        scheduleCheck()
        time.schedule(after: Self.turnTimeout, on: queue) { [weak self] in self?.turned() }
        guard Thread.isMainThread else { return }
        DispatchQueue.main.async { [weak self] in
            guard let self else { return }
            queue.async { self.turned() }
        }
    }

    /// Ends processing after the event that is in the timeline right now, and lets go of the plugins.
    ///
    /// Not after the turn: to the plugins of a client that was released, the client is gone, so one that tracks would
    /// silently not do so.
    /// - Parameter isPatient: whether device-mode destinations get what waits for them, as far as they do not take long.
    ///   What they do not get now, they get at the next start.
    func stop(isPatient: Bool, _ completion: @escaping @Sendable () -> Void) {
        isEnding.withLock { $0 = true }
        queue.async { [self] in
            guard !isConcluded else { return completion() }
            endings.append(completion)
            guard isPatient else { return conclude() }
            guard !isStopped else { return }
            isStopped = true
            settle { self.conclude() }
            if !isConcluded { schedule(after: Limits.destinationTimeout) { self.conclude() } }
        }
    }

    private func conclude() {
        guard !isConcluded else { return }
        (isStopped, isConcluded) = (true, true)
        for lane in lanes { lane.commit() }
        for entry in timeline.entries {
            timeline.remove(entry.plugin)
            end(entry, isRemoved: false)
        }
        takeNewBarriers()
        let open = barriers
        barriers = []
        for barrier in open { barrier.completion() }
        for handler in endHandlers { handler() }
        endHandlers = []
        for ending in endings { ending() }
        endings = []
    }

    /// Tells that there is something to do. One turn is queued at a time: each turn queues the next while there is a
    /// backlog, so a second one would go on beside it and hold up everything else on the queue.
    func wake() {
        let isFirst = isScheduled.withLock { scheduled in
            defer { scheduled = true }
            return !scheduled
        }
        if isFirst { queue.async { self.drain() } }
    }

    /// Processes on the caller's thread what is in the inbox now, and waits until destinations have dealt with it. Callers come
    /// in turn with one another and with the client's own work; what a plugin tracks meanwhile is processed behind the event
    /// that it sees.
    func drainOnCaller() {
        guard !isPluginCalling else { return wake() }
        let isMain = Thread.isMainThread
        let isSettled = DispatchSemaphore(value: 0)
        let isWaiting = queue.sync { () -> Bool in
            guard isRunning, start.areMet, !isStopped else {
                wake()
                return false
            }
            // At the end of the client nothing is begun any more, and its end waits for this queue.
            while !isEnding.withLock({ $0 }), drain(lane) {
                askFlushPolicies()
                finishBarriers()
            }
            idle()
            // One that waits for the main thread would wait for its caller.
            let lines = timeline.snapshot.lines.compactMap(\.line).filter { !isMain || !($0.plugin is MainActorPlugin) }
            guard !lines.isEmpty else { return false }
            settle(lines) { isSettled.signal() }
            return true
        }
        // A destination that is stuck is not waited for; the time here is for one that a test's clock never finds so.
        if isWaiting { _ = isSettled.wait(timeout: .now() + destinationTimeout + Limits.destinationTimeout) }
    }

    /// Keeps closures until the event with that id is processed. When too many wait, new ones are not kept, and their
    /// event is given up when its turn comes: without them it might say what they were to take out.
    func keep(_ new: [EnrichmentClosure], for messageId: String) {
        let isFull = closures.withLock { closures in
            guard closures.count < Limits.pendingClosures else { return true }
            closures[messageId] = new
            return false
        }
        guard isFull else { return }
        report(Diagnostic(.eventDropped, "too many calls with closures wait, event \(messageId) cannot keep its own"))
    }

    /// The settings that apply; nil until some do.
    var currentSettings: Settings? { sharedSettings.withLock { $0 }.map(settings) }

    /// Whether the caller is a plugin that deals with an event, and if so a fresh id that a replay would make again.
    func derivedId() -> String? {
        guard let seat = seat else { return nil }
        return seat.isExecutor ? making?.nextId() : seat.line?.derivedId()
    }

    /// Whether the caller runs on this pipeline's executor.
    var isExecuting: Bool { seat?.isExecutor ?? false }

    /// Whether the caller is a plugin or destination of this client, for which the client would wait.
    var isPluginCalling: Bool { seat != nil }

    /// Where the caller sits, when that is in this client.
    private var seat: Seat? {
        guard let seat = DispatchQueue.getSpecific(key: Seat.key), seat.belongs(to: executorSeat) else { return nil }
        return seat
    }

    /// Runs work between two events.
    func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    func apply(_ settings: Settings) {
        sharedSettings.withLock { $0 = settings }
        queue.async { self.install(settings) }
    }

    /// Holds processing until the plugin says so, or its time is over.
    func pause(for plugin: any Plugin) {
        let id = ObjectIdentifier(plugin)
        let name = plugin.name
        let work: @Sendable () -> Void = { [self] in
            start.waiting.insert(id)
            time.schedule(after: waitingTimeout, on: queue) { [weak self] in self?.stopWaiting(for: id, name) }
        }
        if isExecuting { work() } else { queue.async(execute: work) }
    }

    func resume(for plugin: any Plugin) {
        let id = ObjectIdentifier(plugin)
        queue.async { self.stopWaiting(for: id) }
    }

    /// The start waits for a plugin no longer. On the executor.
    func stopWaiting(for id: ObjectIdentifier) {
        if start.waiting.remove(id) != nil { beginIfPossible() }
    }

    /// Calls back on the executor when everything in the inbox now was processed.
    func barrier(_ completion: @escaping @Sendable () -> Void) {
        let end = lane.inbox.end
        newBarriers.withLock { $0.append(Barrier(end: end, completion: completion)) }
        queue.async { [self] in
            guard isStopped else {
                takeNewBarriers()
                return wake()
            }
            for barrier in newBarriers.take() { barrier.completion() }
        }
    }

    /// Changes who sees events: before the next one that is tracked, though a turn may be under way that gets there first. What
    /// a plugin asks for on the executor is done at once: it may be what keeps the events that wait from a destination.
    func change(_ action: @escaping @Sendable () -> Void) {
        guard !isExecuting else { return action() }
        let change = Change(after: lane.inbox.end, action)
        newChanges.withLock { $0.append(change) }
        queue.async { [self] in
            // Those that were asked for before are made, or come right before it.
            while !change.isMade, let next = newChanges.withLock({ $0.popFirst() }) { next.make() }
        }
    }

    /// The changes whose place a turn has reached.
    private func makeChanges() {
        while let next = newChanges.withLock({ changes in
            changes.first.map { lane.position.isAtOrAfter($0.place) } == true ? changes.popFirst() : nil
        }) { next.make() }
    }

    /// Events in the client's own inbox that have not been processed.
    var unprocessed: Int { lane.unprocessed }

    /// Takes a lane that another process left through the timeline as well; calls back on the executor once its inbox
    /// is empty, or cannot be read now.
    func empty(_ lane: Lane, _ completion: @escaping @Sendable () -> Void) {
        look(after: lane)
        queue.async { [self] in
            guard !isStopped else { return completion() }
            lanes.append(lane)
            drained.append(completion)
            wake()
        }
    }

    /// Ends a purge that every lane has begun, between two events; then calls back.
    ///
    /// Closures of calls before go too: their events are gone.
    func purge(_ completion: @escaping @Sendable () -> Void) {
        let given = closures.withLock { Set($0.keys) }
        queue.async { [self] in
            for lane in lanes { _ = lane.finishPurge() }
            closures.withLock { closures in closures = closures.filter { !given.contains($0.key) } }
            wake()
            completion()
        }
    }

    private func look(after lane: Lane) {
        lane.whenWritten { [weak self] in self?.wake() }
        lane.inbox.whenReadable { [weak self] in self?.wake() }
        lane.outbox.whenRoom { [weak self] in self?.wake() }
        for log in [lane.inbox, lane.outbox] {
            log.whenDetached { [weak self, weak lane] in
                guard let self, let lane else { return }
                queue.async { lane.check() }
            }
        }
    }

    /// Why events are not processed right now; nil when they are.
    var blocker: String? { sharedBlocker.withLock { $0 } }

    /// What has not gone through the plugins yet, and who has it; nil when there is nothing.
    var backlog: String? {
        guard !isEnding.withLock({ $0 }), unprocessed > 0 else { return nil }
        let plugin = runner.atWork.withLock { $0 }
        return "events wait to be processed: \(unprocessed)" + (plugin.map { ", \($0) is at work on one" } ?? "")
    }

    // MARK: Start and settings

    private func turned() {
        guard !start.hasTurned else { return }
        start.hasTurned = true
        beginIfPossible()
    }

    private func stopWaiting(for id: ObjectIdentifier, _ name: String) {
        guard start.waiting.remove(id) != nil else { return }
        report(
            Diagnostic(
                .pluginFault, "processing goes on without waiting any longer: \(waitingTimeout) s are over",
                plugin: name))
        beginIfPossible()
    }

    private func install(_ settings: Settings) {
        installed = settings
        renewSettings()
        start.hasSettings = true
        for entry in timeline.begun {
            update(entry.plugin, on: entry.line)
            guard let inner = entry.destination?.timeline else { continue }
            for entry in inner.begun { update(entry.plugin, on: inner.line) }
        }
        tellReadyDestinations()
        start.isSwitchedOff = settings.isCollectionSwitchedOff
        if isRunning { onSettings(settings) }
        beginIfPossible()
    }

    /// Gives the runner the settings with the destinations that the app has enabled by itself. On the executor.
    func renewSettings() { runner.settings = settings(installed) }

    private func beginIfPossible() {
        guard start.areMet, !isRunning, !isStopped else { return wake() }
        isRunning = true
        onSettings(runner.settings)
        tellReady()
        deliverAfterLongWait()
        wake()
    }

    /// What has waited for the start that long is not made to wait for a flush policy as well.
    private func deliverAfterLongWait() {
        guard time.uptime - madeAt >= Limits.longStart, !lane.isProcessed else { return }
        barriers.append(Barrier(end: lane.inbox.end) { [lane] in lane.uploader.demand() })
    }

    // MARK: Events

    private func drain() {
        isScheduled.withLock { $0 = false }
        guard isRunning, start.areMet, !isStopped else { return waitForStart() }
        for _ in lanes {
            turn = turn < lanes.count ? turn : 0
            let lane = lanes[turn]
            if drain(lane) {
                turn += 1
                askFlushPolicies()
                finishBarriers()
                return wake()
            }
            if lane.isOwn || !lane.isFinished { turn += 1 } else { release(at: turn) }
        }
        idle()
    }

    /// Before events are processed, they only become more, and nothing else keeps their number down.
    private func waitForStart() {
        let size = lane.inbox.byteCount
        guard !isStopped, abs(size - preparedSize) >= Self.bytesPerTurn else { return }
        preparedSize = size
        lane.prepare()
    }

    /// Processes the next events of a lane; false when there are none now.
    private func drain(_ lane: Lane) -> Bool {
        guard lane.hasRoom else {
            _ = lane.uploader.flush(isPatient: false) { _ in }
            return false
        }
        guard destinationsHaveRoom else { return false }
        var (records, end) = lane.inbox.read(
            after: lane.position, maxBytes: Self.bytesPerTurn, maxCount: Limits.eventsPerTurn)
        if let purged = lane.finishPurge() { records.removeAll { purged.isAtOrAfter($0.position) } }
        guard !records.isEmpty else {
            lane.position = end
            decideOnLeft(of: lane)
            return false
        }
        cloud.lane = lane
        lane.makeRoom(for: records.count)
        lane.gather()
        for (number, record) in records.enumerated() where !isEnding.withLock({ $0 }) {
            // A call that was made between two events takes effect between them.
            makeChanges()
            finishBarriers()
            let isProgress = process(record, of: lane)
            lane.position = record.position
            if isProgress { lane.uncommitted += 1 }
            if number % Limits.eventsPerHandOver == 0 {
                lane.writeOut()
                handOver()
            }
        }
        lane.endGathering()
        handOver()
        cloud.lane = self.lane
        decideOnLeft(of: lane)
        if lane.uncommitted >= Self.eventsPerCommit {
            lane.commit()
            lane.prepare()
        }
        return true
    }

    /// Lets go of a lane of another process.
    private func release(at index: Int) {
        let lane = lanes.remove(at: index)
        lane.commit()
        drained.remove(at: index - 1)()
    }

    private func askFlushPolicies() {
        if flushing.isDue() { onDue() }
    }

    private func idle() {
        lane.maintain()
        finishBarriers()
        guard lane.uncommitted > 0, !isCommitScheduled else { return }
        isCommitScheduled = true
        time.schedule(after: Self.secondsPerCommit, on: queue) { [weak self] in
            self?.isCommitScheduled = false
            self?.lane.commit()
        }
    }

    /// Looks after the files even when nothing is tracked.
    private func scheduleCheck() {
        time.schedule(after: Limits.storageCheckInterval, on: queue) { [weak self] in
            guard let self, !isStopped else { return }
            lane.check()
            scheduleCheck()
        }
    }

    private func takeNewBarriers() { barriers += newBarriers.take() }

    private func finishBarriers() {
        takeNewBarriers()
        guard !barriers.isEmpty else { return }
        let done = barriers.filter { lane.position.isAtOrAfter($0.end) }
        guard !done.isEmpty else { return }
        barriers.removeAll { lane.position.isAtOrAfter($0.end) }
        lane.commit()
        askFlushPolicies()
        for barrier in done { barrier.completion() }
    }
}

extension LockBox where Value: RangeReplaceableCollection {
    /// Everything that is there; nothing stays.
    fileprivate func take() -> Value {
        withLock { value in
            guard !value.isEmpty else { return value }
            defer { value = Value() }
            return value
        }
    }
}
