import Foundation

extension Pipeline: DestinationQueueOwner {
    /// Makes the queue of a device-mode destination; nil for every other plugin.
    func destinationQueue(for plugin: any Plugin) -> DestinationQueue? {
        guard plugin.type == .destination, !(plugin is CloudDestination) else { return nil }
        let key = (plugin as? any DestinationPlugin)?.key ?? plugin.name
        return DestinationQueue(
            plugin, name: plugin.name, key: key, timeout: destinationTimeout,
            order: plugin is any SequentialDestination ? destinationOrder : nil, owner: self)
    }

    func schedule(after seconds: TimeInterval, _ work: @escaping @Sendable () -> Void) {
        time.schedule(after: seconds, on: queue, work)
    }

    var uptime: TimeInterval { time.uptime }

    /// Lets the destinations' threads see what was queued for them.
    func dispatch() {
        for entry in timeline.snapshot.deviceDestinations { entry.queue?.dispatch() }
    }

    /// Whether all destinations have room for a turn's events. One whose queue is full is waited for, but not for long:
    /// a fast one is then ready for more, a slow one holds up nobody.
    var destinationsHaveRoom: Bool {
        let full = timeline.snapshot.deviceDestinations.compactMap(\.queue).filter(\.isFull)
        guard !full.isEmpty else {
            patience?.cancel()
            patience = nil
            return true
        }
        guard patience == nil else { return false }
        patience = time.schedule(after: Limits.destinationPatience, on: queue) { [weak self] in
            guard let self else { return }
            patience = nil
            // Asked first, because each that gives up lets another one of its order go on.
            for queue in full.filter(\.mayWork) { queue.giveUpWaiting() }
            wake()
        }
        return false
    }

    /// Calls back when the destinations have dealt with everything that was queued for them, but for those that count
    /// as stuck. On the executor.
    func settle(_ completion: @escaping () -> Void) { settle(timeline.entries.compactMap(\.queue), completion) }

    /// The same for some of the destinations; also for one whose queue is full.
    func settle(_ queues: [DestinationQueue], _ completion: @escaping () -> Void) {
        let inFlight = InFlightEvent()
        inFlight.whenOver(completion)
        for queue in queues where !queue.isStuck { queue.call(for: inFlight, isVital: true) { _ in } }
        inFlight.release()
    }

    /// Calls plugins between two events, and destinations with the plugins of their timelines behind the events that were
    /// queued for them. On the executor.
    func visit(_ visit: @escaping @Sendable (any Plugin) -> Void) {
        for entry in timeline.begun {
            let inner = entry.destination?.timeline
            guard let queue = entry.queue else {
                visit(entry.plugin)
                inner?.visit(visit)
                continue
            }
            queue.call { plugin in
                visit(plugin)
                inner?.visit(visit)
            }
        }
    }

    func took(_ outcome: DestinationQueue.Outcome, at queue: DestinationQueue, of inFlight: InFlightEvent?) {
        guard let inFlight, case .visited(let visit) = outcome else { return }
        resume(inFlight) { runner.took(visit, by: queue) }
    }

    func runScripts(
        _ event: any RawEvent, _ type: PluginType, _ visited: DestinationVisit, at queue: DestinationQueue,
        of inFlight: InFlightEvent
    ) -> (any RawEvent)? {
        self.queue.sync {
            queue.noteTurn()
            // The scripts have ended with the client; the event stays in the inbox for the next one.
            guard !isConcluded else { return nil }
            var result: (any RawEvent)?
            resume(inFlight) {
                visited.note(.before, .enrichment, in: runner.recorder, queue.key)
                result = runner.runScripts(event, type, destination: queue.key)
            }
            return result
        }
    }

    func lost(_ count: Int, at queue: DestinationQueue) { counterStore.lost(count, to: queue.key) }
}
