import TributaryJSON

// Events on which a source stage decides later: middleware that returns first and calls `next` afterwards.
extension Pipeline {
    /// Keeps an event on disk until a source stage has decided on it. An event with closures stays in memory, because
    /// the closures exist only in this process.
    func keep(_ decision: PendingDecision, of run: EventRun, tracked: UInt64) {
        let isKept =
            run.closures.isEmpty && run.eventQueue.keep(run.record, tracked: tracked, isRepetition: run.isReplay)
        decision.whenDecided { [weak self] result in
            guard let self else { return }
            if isKept { decide(on: tracked, result, run) } else { goOn(result, run) }
        }
    }

    /// Asks the source stages about events on which an earlier process had not decided.
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
                // The runner has already counted the plugin that dropped the event.
                _ = eventQueue.deferred.close(tracked)
                count(run)
                eventQueue.uncommitted += 1
            }
        }
    }

    /// Carries out the decision of a source stage on an event of the inbox. When the client ends, the event stays
    /// undecided in the inbox.
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

    /// Goes on with an event that is not in the inbox in this form.
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
