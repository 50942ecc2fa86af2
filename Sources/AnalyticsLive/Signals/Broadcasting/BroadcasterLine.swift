import Dispatch
import Tributary

/// The way to one broadcaster: a queue of its own, and a bounded number of signals that wait for it.
///
/// Unchecked because the broadcaster is only touched on the queue.
final class BroadcasterLine: @unchecked Sendable {
    private enum Work {
        case signal(SignalRecord)
        case relay
    }

    private struct Waiting {
        var work = Ring<Work>()
        var isServing = false
    }

    private var broadcaster: any SignalBroadcaster
    private let queue: DispatchQueue
    private let waiting = LockBox(Waiting())
    private let permit: LockBox<CollectionPermit>
    private let losses: LossReport

    /// - Parameters:
    ///   - permit: whether the broadcaster may be called.
    ///   - report: told how many signals were left out because the broadcaster was behind.
    init(
        _ broadcaster: any SignalBroadcaster, analytics: Analytics, permit: LockBox<CollectionPermit>,
        report: @escaping @Sendable (Int) -> Void
    ) {
        self.broadcaster = broadcaster
        self.permit = permit
        losses = LossReport(time: analytics.time, report: report)
        queue = DispatchQueue(label: "tributary.signals.\(Swift.type(of: broadcaster))")
        queue.async { [self, weak analytics] in self.broadcaster.analytics = analytics }
    }

    func add(_ record: SignalRecord) { add(.signal(record)) }

    /// What was collected until here should go.
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

    /// Goes on when there is something to do and it may be done.
    func resume() {
        let isIdle = waiting.withLock { waiting in
            guard !waiting.isServing, waiting.work.count > 0, permit.withLock({ $0 }) == .granted else { return false }
            waiting.isServing = true
            return true
        }
        if isIdle { queue.async { [self] in serve() } }
    }

    /// Gives up what waits here and what the broadcaster has collected.
    func forget() {
        waiting.withLock { $0.work = Ring() }
        queue.async { [self] in broadcaster.forget() }
    }

    /// The workspace does not want signals.
    func disableTraffic() { queue.async { [self] in (broadcaster as? SegmentBroadcaster)?.disable() } }

    /// Calls back when the broadcaster has got everything.
    func afterServing(_ completion: @escaping @Sendable () -> Void) { queue.async(execute: completion) }

    private func serve() {
        while let work = next() {
            switch work {
            case .signal(let record): hand(record)
            case .relay: broadcaster.relay()
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
        if let broadcaster = broadcaster as? any RecordBroadcaster { return broadcaster.added(record: record) }
        broadcaster.added(signal: record.signal)
        if let broadcaster = broadcaster as? any SignalJSONBroadcaster {
            broadcaster.added(signal: record.json.dictionaryValue ?? [:])
        }
    }
}

/// A broadcaster of this library's, which takes a signal in the forms that there are already.
protocol RecordBroadcaster: SignalBroadcaster {
    func added(record: SignalRecord)
}

extension RecordBroadcaster {
    /// Takes a signal that was emitted somewhere else, unless the client may not collect now. One that cannot be written is
    /// left out, with a diagnostic.
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
