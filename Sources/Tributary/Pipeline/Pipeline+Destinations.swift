import Foundation

extension Pipeline: DestinationLineOwner {
    /// The way to a plugin that takes events to a service on the device; nil for every other plugin.
    func line(for plugin: any Plugin) -> DestinationLine? {
        guard plugin.type == .destination, !(plugin is CloudDestination) else { return nil }
        let key = (plugin as? any DestinationPlugin)?.key ?? plugin.name
        return DestinationLine(
            plugin, name: plugin.name, key: key, timeout: destinationTimeout,
            order: plugin is any SequentialDestination ? destinationOrder : nil, owner: self)
    }

    func schedule(after seconds: TimeInterval, _ work: @escaping @Sendable () -> Void) {
        time.schedule(after: seconds, on: queue, work)
    }

    var uptime: TimeInterval { time.uptime }

    /// Lets the destinations' threads see what was queued for them.
    func handOver() {
        for entry in timeline.snapshot.lines { entry.line?.handOver() }
    }

    /// Whether all destinations have room for a turn's events. One whose queue is full is waited for, but not for long:
    /// a fast one is then ready for more, a slow one holds up nobody.
    var destinationsHaveRoom: Bool {
        let full = timeline.snapshot.lines.compactMap(\.line).filter(\.isFull)
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
            for line in full.filter(\.mayWork) { line.giveUpWaiting() }
            wake()
        }
        return false
    }

    /// Calls back when the destinations have dealt with everything that was queued for them, but for those that count
    /// as stuck. On the executor.
    func settle(_ completion: @escaping () -> Void) { settle(timeline.entries.compactMap(\.line), completion) }

    /// The same for some of the destinations; also for one whose queue is full.
    func settle(_ lines: [DestinationLine], _ completion: @escaping () -> Void) {
        let passage = Passage()
        passage.whenOver(completion)
        for line in lines where !line.isStuck { line.call(for: passage, isVital: true) { _ in } }
        passage.release()
    }

    /// Calls plugins between two events, and destinations with the plugins of their timelines behind the events that were
    /// queued for them. On the executor.
    func visit(_ visit: @escaping @Sendable (any Plugin) -> Void) {
        for entry in timeline.begun {
            let inner = entry.destination?.timeline
            guard let line = entry.line else {
                visit(entry.plugin)
                inner?.visit(visit)
                continue
            }
            line.call { plugin in
                visit(plugin)
                inner?.visit(visit)
            }
        }
    }

    func took(_ outcome: DestinationLine.Outcome, at line: DestinationLine, of passage: Passage?) {
        guard let passage, case .visited(let visit) = outcome else { return }
        resume(passage) { runner.took(visit, by: line) }
    }

    func runScripts(
        _ event: any RawEvent, _ type: PluginType, _ visited: DestinationVisit, at line: DestinationLine,
        of passage: Passage
    ) -> (any RawEvent)? {
        queue.sync {
            line.noteTurn()
            // The scripts have ended with the client; the event stays in the inbox for the next one.
            guard !isConcluded else { return nil }
            var result: (any RawEvent)?
            resume(passage) {
                visited.note(.before, .enrichment, in: runner.recorder, line.key)
                result = runner.runScripts(event, type, destination: line.key)
            }
            return result
        }
    }

    func lost(_ count: Int, at line: DestinationLine) { accounts.lost(count, to: line.key) }
}
