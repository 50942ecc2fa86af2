import TributaryJSON

// Events that a source stage decides on later: middleware that calls `next` after it came back.
extension Pipeline {
    /// Keeps an event until a source stage has decided on it: on disk, but for one with closures, which are nothing without
    /// this process.
    func keep(_ decision: PendingDecision, of run: EventRun, tracked: UInt64) {
        let isKept =
            run.closures.isEmpty && run.eventQueue.keep(run.record, tracked: tracked, isRepetition: run.isReplay)
        decision.whenDecided { [weak self] result in
            guard let self else { return }
            if isKept { decide(on: tracked, result, run) } else { goOn(result, run) }
        }
    }

    /// Asks the source stages again about what an earlier process left without a decision.
    func decideOnLeft(of eventQueue: EventQueue) {
        for (tracked, record) in eventQueue.deferred.takeLeft(at: eventQueue.position) {
            runner.prepare(timeline.snapshot)
            let run = EventRun(
                record: record, closures: [], eventQueue: eventQueue, origin: nil, isFresh: false, isReplay: false,
                recorder: nil)
            var ids = run.derivedIds
            switch executor.process(&ids, { runner.route(run) }) {
            case .passed(let event): decide(on: tracked, .passed(event), run)
            case .kept(let decision):
                decision.whenDecided { [weak self] result in self?.decide(on: tracked, result, run) }
            case .dropped:
                // The runner has counted the plugin that dropped it.
                _ = eventQueue.deferred.close(tracked)
                count(run)
                eventQueue.uncommitted += 1
            }
        }
    }

    /// A source stage has decided on an event of the inbox. At the end of the client it stays open there.
    private func decide(on tracked: UInt64, _ result: RoutedEvent, _ run: EventRun) {
        guard !start.state.isEnding else { return }
        let eventQueue = run.eventQueue
        let claim = eventQueue.deferred.close(tracked)
        if case .nothing = claim { return }
        eventQueue.uncommitted += 1
        if case .passed(let event) = result, claim == .event {
            let record = InboxRecord(form: .decided, trackedAt: run.record.trackedAt, event: event, tracked: tracked)
            eventQueue.append(record)
        } else {
            goOn(result, run, isReplay: true)
        }
        turns.wake()
    }

    /// Goes on with an event that the inbox does not have in this form.
    private func goOn(_ result: RoutedEvent, _ run: EventRun, isReplay: Bool? = nil) {
        switch result {
        case .kept: break
        case .dropped(let name):
            runner.drop(run, by: name, run.record.event)
            count(run)
            trace(run)
        case .passed(let event):
            let record = InboxRecord(form: .routed, trackedAt: run.record.trackedAt, event: event)
            processBetweenEvents(
                record, run.closures, recorder: run.recorder, isReplay: isReplay ?? run.isReplay)
        }
    }
}
