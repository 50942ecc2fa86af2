import Foundation

/// The queues of the destinations on the device.
///
/// Unchecked because mutable state is only touched on the executor.
final class DeviceDestinations: @unchecked Sendable {
    private let executor: ClientExecutor
    private let timeline: Timeline
    private let runner: TimelineRunner
    private let turns: TurnScheduler
    /// The longest time in seconds for one call of a destination.
    let timeout: TimeInterval
    /// The order for destinations that work one after the other.
    private let order = DestinationOrder()
    /// Ends the wait for a destination with a full queue; nil while there is no wait.
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

    /// Starts the destinations' threads for the events that were queued.
    func dispatch() {
        for entry in timeline.snapshot.deviceDestinations { entry.queue?.dispatch() }
    }

    /// Whether all destinations have room for the events of a turn. The pipeline waits a short time for a full queue: a
    /// fast destination is then ready for more, and a slow one holds up nothing.
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
            // Filtered first, because a queue that gives up lets another queue of the same order work.
            for queue in full.filter(\.mayWork) { queue.giveUpWaiting() }
            wake()
        }
        return false
    }

    /// Calls back when the destinations have finished everything that was queued for them. It does not wait for stuck
    /// destinations.
    func settle(_ completion: @escaping () -> Void) { settle(timeline.entries.compactMap(\.queue), completion) }

    /// As `settle(_:)`, for the destinations that can work while the caller waits. A destination that needs the main
    /// thread cannot when the caller is on it.
    /// - Returns: false when there is no such destination; then the completion is not called.
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

    /// Called at the end of the client: scripts no longer run.
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
            // Scripts have ended with the client. The event stays in the inbox for the next client.
            guard !isOver else { return nil }
            return executor.process(&inFlight.derivedIds) {
                runner.runScripts(event, type, visited, by: queue, of: inFlight)
            }
        }
    }

    func lost(_ count: Int, at queue: DestinationQueue) { runner.counterStore.lost(count, to: queue.key) }
}
