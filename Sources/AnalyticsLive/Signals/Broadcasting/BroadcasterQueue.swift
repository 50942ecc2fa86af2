import Dispatch
import Tributary

/// The queue of one broadcaster. A bounded number of signals wait in it.
final class BroadcasterQueue: Sendable {
    private enum Work {
        case signal(SignalRecord)
        case relay
    }

    private struct Waiting {
        var work = Ring<Work>()
        var isServing = false
    }

    private let broadcaster: QueueBound<any SignalBroadcaster>
    private let queue: DispatchQueue
    private let waiting = LockBox(Waiting())
    private let permit: LockBox<CollectionPermit>
    private let losses: LossReport

    /// - Parameters:
    ///   - permit: whether the broadcaster may be called.
    ///   - report: called with the number of signals that were left out because the broadcaster was too slow.
    init(
        _ broadcaster: any SignalBroadcaster, analytics: Analytics, permit: LockBox<CollectionPermit>,
        report: @escaping @Sendable (Int) -> Void
    ) {
        self.permit = permit
        losses = LossReport(time: analytics.time, report: report)
        queue = DispatchQueue(label: "tributary.signals.\(Swift.type(of: broadcaster))")
        self.broadcaster = QueueBound(broadcaster, to: queue)
        queue.async { [self, weak analytics] in self.broadcaster.analytics = analytics }
    }

    func add(_ record: SignalRecord) { add(.signal(record)) }

    /// Asks the broadcaster to send what it has collected until here.
    func relay() { add(.relay) }

    private func add(_ work: Work) {
        let dropped = waiting.withLock { waiting in
            var dropped = 0
            while waiting.work.count >= SignalLimits.waitingForBroadcaster {
                if case .signal? = waiting.work.popFirst() { dropped += 1 }
            }
            waiting.work.append(work)
            return dropped
        }
        if dropped > 0 { losses.add(dropped) }
        resume()
    }

    /// Continues when there is work and the client permits it.
    func resume() {
        let isIdle = waiting.withLock { waiting in
            guard !waiting.isServing, waiting.work.count > 0, permit.withLock({ $0 }) == .granted else { return false }
            waiting.isServing = true
            return true
        }
        if isIdle { queue.async { [self] in serve() } }
    }

    /// Deletes the signals that wait here and the signals that the broadcaster has collected.
    func forget() {
        waiting.withLock { $0.work = Ring() }
        queue.async { [self] in broadcaster.value.forget() }
    }

    /// The workspace does not want signals.
    func disableTraffic() { queue.async { [self] in (broadcaster.value as? SegmentBroadcaster)?.disable() } }

    /// Calls back when the broadcaster has got everything.
    func afterServing(_ completion: @escaping @Sendable () -> Void) { queue.async(execute: completion) }

    private func serve() {
        while let work = next() {
            switch work {
            case .signal(let record): hand(record)
            case .relay: broadcaster.value.relay()
            }
        }
    }

    private func next() -> Work? {
        waiting.withLock { waiting in
            let work = permit.withLock { $0 } == .granted ? waiting.work.popFirst() : nil
            if work == nil { waiting.isServing = false }
            return work
        }
    }

    private func hand(_ record: SignalRecord) {
        let broadcaster = broadcaster.value
        if let broadcaster = broadcaster as? any RecordBroadcaster { return broadcaster.added(record: record) }
        broadcaster.added(signal: record.signal)
        if let broadcaster = broadcaster as? any SignalJSONBroadcaster {
            broadcaster.added(signal: record.json.dictionaryValue ?? [:])
        }
    }
}

/// A broadcaster of this library, which takes a signal in the forms that exist already.
protocol RecordBroadcaster: SignalBroadcaster {
    func added(record: SignalRecord)
}

extension RecordBroadcaster {
    /// Takes a signal that was not emitted through `Signals`, unless the client may not collect now. A signal that
    /// cannot be encoded is left out, and a diagnostic reports it.
    func take(_ signal: any RawSignal) {
        if let analytics, analytics.permit != .granted { return }
        do {
            added(record: try SignalRecord(signal))
        } catch {
            analytics?.report(
                Diagnostic(
                    .signals, "a signal of type \(type(of: signal)) is left out: \(error)",
                    plugin: "\(type(of: self))"))
        }
    }
}
