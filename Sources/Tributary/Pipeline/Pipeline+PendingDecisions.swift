import TributaryJSON

// Events that a source stage decides on later: middleware that calls `next` after it came back.
extension Pipeline {
    /// Keeps an event until a source stage has decided on it: on disk, but for one with closures, which are nothing without
    /// this process.
    func keep(
        _ decision: PendingDecision, _ record: InboxRecord, _ closures: [EnrichmentClosure], _ tracked: UInt64,
        of lane: Lane,
        isReplay: Bool
    ) {
        let isKept = closures.isEmpty && lane.keep(record, tracked: tracked, isRepetition: isReplay)
        decision.whenDecided { [weak self] result in
            guard let self else { return }
            if isKept {
                decide(on: tracked, result, trackedAt: record.trackedAt, of: lane)
            } else {
                goOn(result, closures, trackedAt: record.trackedAt, isReplay: isReplay)
            }
        }
    }

    /// Asks the source stages again about what an earlier process left without a decision.
    func decideOnLeft(of lane: Lane) {
        for (tracked, record) in lane.deferred.takeLeft(at: lane.position) {
            runner.prepare(timeline.snapshot)
            derivedIds = DerivedIds(messageId: record.event["messageId"]?.stringValue ?? "")
            runner.recorder = nil
            let routed = runner.routed(record.event)
            derivedIds = nil
            if let routed {
                decide(on: tracked, .passed(routed), trackedAt: record.trackedAt, of: lane)
            } else if let decision = runner.takePendingDecision() {
                decision.whenDecided { [weak self] result in
                    self?.decide(on: tracked, result, trackedAt: record.trackedAt, of: lane)
                }
            } else {
                // The plugin that dropped it is counted.
                _ = lane.deferred.close(tracked)
                lane.uncommitted += 1
            }
        }
    }

    /// A source stage has decided on an event of the inbox. At the end of the client it stays open there.
    private func decide(on tracked: UInt64, _ result: RoutedEvent, trackedAt: Int64, of lane: Lane) {
        guard !isStopped else { return }
        let claim = lane.deferred.close(tracked)
        if case .nothing = claim { return }
        lane.uncommitted += 1
        switch (result, claim) {
        case (.passed(let event), .event):
            let record = InboxRecord(form: .decided, trackedAt: trackedAt, event: event, tracked: tracked)
            lane.inbox.append(record.encoded, handingOver: record)
        case (.passed, _): goOn(result, [], trackedAt: trackedAt, isReplay: true)
        case (.dropped(let name), _): counterStore.dropped(.plugin, by: name, destination: nil)
        case (.kept, _): break
        }
        wake()
    }

    /// Goes on with an event that the inbox does not have, between two others.
    private func goOn(_ result: RoutedEvent, _ closures: [EnrichmentClosure], trackedAt: Int64, isReplay: Bool) {
        switch result {
        case .dropped(let name): counterStore.dropped(.plugin, by: name, destination: nil)
        case .kept: break
        case .passed(let event):
            perform { [self] in
                guard !isStopped else { return }
                runner.prepare(timeline.snapshot)
                (cloud.origin, cloud.written) = (nil, nil)
                let record = InboxRecord(form: .routed, trackedAt: trackedAt, event: event)
                run(record, closures, of: lane, isReplay: isReplay)
                dispatch()
            }
        }
    }
}
