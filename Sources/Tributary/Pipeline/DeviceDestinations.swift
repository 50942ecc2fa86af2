import Foundation

/// The queues of the destinations on the device.
///
/// Unchecked because what changes is only touched on the executor.
final class DeviceDestinations: @unchecked Sendable {
    private let executor: ClientExecutor
    private let timeline: Timeline
    private let runner: TimelineRunner
    private let turns: TurnScheduler
    /// Seconds that one call of a destination may take.
    let timeout: TimeInterval
    /// The turns of the destinations that take turns.
    private let order = DestinationOrder()
    /// Ends the wait until a destination has room for more events; nil while nobody waits.
    private var patience: (any ScheduledWork)?
    /// Whether the client has ended.
    private var isOver = false
    let report: @Sendable (Diagnostic) -> Void

    init(
        executor: ClientExecutor, timeline: Timeline, runner: TimelineRunner, turns: TurnScheduler,
        timeout: TimeInterval, report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.executor = executor
        self.timeline = timeline
        self.runner = runner
        self.turns = turns
        self.timeout = timeout
        self.report = report
    }

    /// Makes the queue of a device-mode destination; nil for every other plugin. On any thread.
    func makeQueue(for plugin: any Plugin) -> DestinationQueue? {
        guard plugin.type == .destination, !(plugin is CloudDestination) else { return nil }
        let key = (plugin as? any DestinationPlugin)?.key ?? plugin.name
        return DestinationQueue(
            plugin, name: plugin.name, key: key, timeout: timeout,
            deliveries: runner.counterStore.deliveries(to: key),
            order: plugin is any SequentialDestination ? order : nil, executor: executor, owner: self)
    }

    // MARK: On the executor

    private var active: [DestinationQueue] { timeline.snapshot.deviceDestinations.compactMap(\.queue) }

    /// Lets the destinations' threads see what was queued for them.
    func dispatch() {
        for entry in timeline.snapshot.deviceDestinations { entry.queue?.dispatch() }
    }

    /// Whether all destinations have room for a turn's events. One whose queue is full is waited for, but not for long:
    /// a fast one is then ready for more, a slow one holds up nobody.
    func haveRoom() -> Bool {
        let full = active.filter(\.isFull)
        guard !full.isEmpty else {
            patience?.cancel()
            patience = nil
            return true
        }
        guard patience == nil else { return false }
        patience = executor.schedule(after: Limits.destinationPatience) { [weak self] in
            guard let self else { return }
            patience = nil
            // Asked first, because each that gives up lets another one of its order go on.
            for queue in full.filter(\.mayWork) { queue.giveUpWaiting() }
            wake()
        }
        return false
    }

    /// Calls back when the destinations have dealt with everything that was queued for them, but for those that count
    /// as stuck.
    func settle(_ completion: @escaping () -> Void) { settle(timeline.entries.compactMap(\.queue), completion) }

    /// The same for the destinations that may work while the caller waits: none that needs the main thread when that is the
    /// caller's.
    /// - Returns: false when there are none, and the completion is not called.
    func settle(forCallerOnMainThread isMain: Bool, _ completion: @escaping () -> Void) -> Bool {
        let queues = active.filter { !isMain || !($0.plugin is MainActorPlugin) }
        guard !queues.isEmpty else { return false }
        settle(queues, completion)
        return true
    }

    private func settle(_ queues: [DestinationQueue], _ completion: @escaping () -> Void) {
        let countdown = Countdown()
        countdown.whenOver(completion)
        for queue in queues where !queue.isStuck { queue.call(for: countdown, isVital: true) { _ in } }
        countdown.release()
    }

    /// The client has ended: scripts run no more.
    func conclude() { isOver = true }
}

extension DeviceDestinations: DestinationQueueOwner {
    func wake() { turns.wake() }

    func took(_ visit: DestinationVisit, at queue: DestinationQueue, of inFlight: InFlightEvent) {
        runner.took(visit, by: queue, of: inFlight) { event, run in
            executor.process(&inFlight.derivedIds) { _ = runner.runScripts(event, run, .after, queue.key) }
        }
    }

    func runScripts(
        _ event: any RawEvent, _ type: PluginType, _ visited: DestinationVisit, at queue: DestinationQueue,
        of inFlight: InFlightEvent
    ) -> (any RawEvent)? {
        executor.queue.sync {
            queue.noteTurn()
            // The scripts have ended with the client; the event stays in the inbox for the next one.
            guard !isOver else { return nil }
            return executor.process(&inFlight.derivedIds) {
                runner.runScripts(event, type, visited, by: queue, of: inFlight)
            }
        }
    }

    func lost(_ count: Int, at queue: DestinationQueue) { runner.counterStore.lost(count, to: queue.key) }
}
