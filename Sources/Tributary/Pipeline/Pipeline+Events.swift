import TributaryJSON

extension Pipeline {
    /// Takes a record of the inbox through the timeline.
    /// - Returns: false for one that only says that an event is open.
    func process(_ record: LogRecord, of lane: Lane) -> Bool {
        do {
            let inboxRecord = try record.parsed ?? InboxRecord(payload: record.payload)
            switch inboxRecord.form {
            case .deferred:
                lane.deferred.met(inboxRecord, tracked: inboxRecord.tracked, at: record.sequence)
                return false
            case .decided where !lane.deferred.metDecision(inboxRecord.tracked, at: record.sequence): return true
            default: process(inboxRecord, record, of: lane)
            }
        } catch {
            lose("unreadable", "a record of the inbox: \(error)")
        }
        return true
    }

    private func process(_ inboxRecord: InboxRecord, _ record: LogRecord, of lane: Lane) {
        let isReplay = record.sequence <= lane.handedOver
        runner.prepare(timeline.snapshot)
        // The server has it already, and nobody else wants it.
        if isReplay, !runner.hasDeviceDestinations { return }
        let closures = inboxRecord.form == .withClosures ? takeClosures(of: inboxRecord.event) : []
        guard inboxRecord.form != .withClosures || !closures.isEmpty else {
            return isReplay ? () : lose("closures_gone", "an event whose closures went with an earlier process")
        }
        cloud.origin = lane.origin(of: record)
        cloud.written = record.parsed?.written
        defer { cloud.written = nil }
        run(inboxRecord, closures, of: lane, isReplay: isReplay)
        guard let decision = runner.takePendingDecision() else { return }
        keep(decision, inboxRecord, closures, record.sequence, of: lane, isReplay: isReplay)
    }

    func run(_ record: InboxRecord, _ closures: [EnrichmentClosure], of lane: Lane, isReplay: Bool) {
        derivedIds = DerivedIds(messageId: record.event["messageId"]?.stringValue ?? "")
        defer { derivedIds = nil }
        // Of an event that the server has already, a second trace would say that it was kept from the server.
        let recorder = traces == nil || isReplay ? nil : StageRecorder()
        runner.recorder = recorder
        runner.audience = isReplay ? .devices : record.form == .carriedOver ? .server : .all
        runner.isRouted = !record.form.isToBeRouted
        guard runner.run(record.event, closures: closures) else {
            return lose("unknown_type", "an event of type \(record.event["type"]?.description ?? "none")")
        }
        counterStore.count { $0.processed += 1 }
        if !isReplay { flushing.note(record.event) }
        guard let (inFlight, last) = runner.takeInFlightEvent() else { return trace(record, recorder) }
        inFlight.recorder = recorder
        inFlight.derivedIds = derivedIds
        inFlight.whenOver { [self] in
            resume(inFlight, last)
            trace(record, recorder)
            lane.uncommitted += 1
        }
        lane.keep(until: inFlight)
        inFlight.release()
    }

    /// Goes on with an event that destinations have dealt with.
    func resume(_ inFlight: InFlightEvent, _ work: () -> Void) {
        let (recorder, bundleVersions, others) = (runner.recorder, runner.bundleVersions, derivedIds)
        runner.recorder = inFlight.recorder
        // Nobody waited for a destination that was stuck, so those that began with the event may have ended.
        runner.bundleVersions = inFlight.isClosed ? runner.currentBundleVersions : inFlight.bundleVersions
        derivedIds = inFlight.derivedIds
        work()
        inFlight.derivedIds = derivedIds
        (runner.recorder, runner.bundleVersions, derivedIds) = (recorder, bundleVersions, others)
    }

    private func trace(_ record: InboxRecord, _ recorder: StageRecorder?) {
        guard let recorder else { return }
        let trackedAt = ISO8601.string(milliseconds: record.trackedAt)
        traces?.add(StageTrace(event: record.event, trackedAt: trackedAt, steps: recorder.steps))
    }

    private func takeClosures(of event: JSONObject) -> [EnrichmentClosure] {
        closures.withLock { closures in
            guard !closures.isEmpty, let messageId = event["messageId"]?.stringValue else { return [] }
            return closures.removeValue(forKey: messageId) ?? []
        }
    }

    private func lose(_ reason: String, _ what: String) {
        counterStore.count { $0.lost[reason, default: 0] += 1 }
        report(Diagnostic(.eventDropped, "not delivered: \(what)"))
    }
}
