import TributaryJSON
import TributaryJournal

extension Pipeline {
    /// Takes a record of the inbox through the timeline.
    /// - Parameter origin: the permanent name of the record; nil when the record does not survive the process.
    /// - Returns: false for a record that only says that an event is undecided.
    func process(_ record: QueuedEvent, origin: JournalTag?, of eventQueue: EventQueue) -> Bool {
        do {
            let inboxRecord = try record.parsed ?? InboxRecord(payload: record.payload)
            switch inboxRecord.form {
            case .deferred:
                eventQueue.deferred.met(inboxRecord, tracked: inboxRecord.tracked, at: record.sequence)
                return false
            case .decided where !eventQueue.deferred.metDecision(inboxRecord.tracked, at: record.sequence): return true
            default: process(inboxRecord, record, origin: origin, of: eventQueue)
            }
        } catch {
            lose("unreadable", "a record of the inbox: \(error)")
        }
        return true
    }

    private func process(
        _ inboxRecord: InboxRecord, _ record: QueuedEvent, origin: JournalTag?, of eventQueue: EventQueue
    ) {
        let isReplay = record.sequence <= eventQueue.handedOver
        runner.prepare(timeline.snapshot)
        // The server has the event already, and no other destination needs it.
        if isReplay, !runner.hasDeviceDestinations { return }
        var closures: [EnrichmentClosure] = []
        if inboxRecord.form == .withClosures {
            closures = self.closures.withLock { $0.take(for: inboxRecord.event) }
            guard !closures.isEmpty else {
                return isReplay ? () : lose("closures_gone", "an event whose closures went with an earlier process")
            }
        }
        let run = EventRun(
            record: inboxRecord, closures: closures, eventQueue: eventQueue, origin: origin,
            isFresh: record.parsed != nil, isReplay: isReplay, recorder: isReplay ? nil : recorder(inboxRecord),
            bundleVersions: runner.currentBundleVersions())
        if let decision = process(run) { keep(decision, of: run, tracked: record.sequence) }
    }

    /// For an event that is traced. A repeated event gets no second trace, which would say that the server did not get the
    /// event.
    private func recorder(_ record: InboxRecord) -> StageRecorder? {
        let isSent = traces?.traces(record.event) == true
        return isSent || !traceObservers.isEmpty ? StageRecorder(isSent: isSent) : nil
    }

    /// Takes an event through the timeline that is not in the inbox in this form, between two others.
    func processBetweenEvents(
        _ record: InboxRecord, _ closures: [EnrichmentClosure], recorder: StageRecorder?, isReplay: Bool
    ) {
        executor.perform { [self] in
            guard !start.state.isEnding else { return }
            runner.prepare(timeline.snapshot)
            _ = process(
                EventRun(
                    record: record, closures: closures, eventQueue: eventQueue, origin: nil, isFresh: false,
                    isReplay: isReplay, recorder: recorder, bundleVersions: runner.currentBundleVersions()))
            destinations.dispatch()
        }
    }

    /// - Returns: the pending decision, when a source stage decides later.
    private func process(_ run: EventRun) -> PendingDecision? {
        var ids = run.derivedIds
        switch executor.process(&ids, { runner.process(run) }) {
        case .pending(let decision): return decision
        case .unknownType:
            lose("unknown_type", "an event of type \(run.record.event["type"]?.description ?? "none")")
        case .done:
            count(run)
            trace(run)
        case .inFlight(let inFlight, let finish):
            count(run)
            inFlight.derivedIds = ids
            inFlight.whenOver { [self] in
                executor.process(&inFlight.derivedIds, finish)
                trace(run)
                run.eventQueue.uncommitted += 1
            }
            run.eventQueue.keep(until: inFlight)
            inFlight.release()
        }
        return nil
    }

    /// Counts an event that has been through the timeline.
    func count(_ run: EventRun) {
        let isWithoutSettings = settingsOrigin == .defaults
        counterStore.processed(run.counted, withoutSettings: isWithoutSettings)
        if !run.isReplay { flushing.note(run.record.event) }
    }

    func trace(_ run: EventRun) {
        guard let recorder = run.recorder else { return }
        let trackedAt = ISO8601.string(milliseconds: run.record.trackedAt)
        let trace = StageTrace(event: run.record.event, trackedAt: trackedAt, steps: recorder.steps)
        if recorder.isSent { traces?.add(trace) }
        traceObservers.tell(trace)
    }

    private func lose(_ reason: String, _ what: String) {
        counterStore.count { $0.lost[reason, default: 0] += 1 }
        report(Diagnostic(.eventDropped, "not delivered: \(what)"))
    }
}
