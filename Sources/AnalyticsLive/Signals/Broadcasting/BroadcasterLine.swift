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
        var dropped = 0
    }

    private var broadcaster: any SignalBroadcaster
    private let queue: DispatchQueue
    private let waiting = LockBox(Waiting())
    private let report: @Sendable (_ lost: Int) -> Void

    /// - Parameter report: told how many signals were left out because the broadcaster was behind: at the first, and when
    ///   it goes on.
    init(_ broadcaster: any SignalBroadcaster, analytics: Analytics, report: @escaping @Sendable (Int) -> Void) {
        self.broadcaster = broadcaster
        self.report = report
        queue = DispatchQueue(label: "tributary.signals.\(Swift.type(of: broadcaster))")
        queue.async { [self, weak analytics] in self.broadcaster.analytics = analytics }
    }

    func add(_ record: SignalRecord) { add(.signal(record)) }

    /// What was collected until here should go.
    func relay() { add(.relay) }

    private func add(_ work: Work) {
        let (isIdle, isFirstLoss) = waiting.withLock { waiting in
            let before = waiting.dropped
            while waiting.work.count >= SignalLimits.waitingForBroadcaster {
                if case .signal? = waiting.work.popFirst() { waiting.dropped += 1 }
            }
            waiting.work.append(work)
            defer { waiting.isServing = true }
            return (!waiting.isServing, before == 0 && waiting.dropped > 0)
        }
        if isFirstLoss { report(1) }
        if isIdle { queue.async { [self] in serve() } }
    }

    /// The workspace does not want signals.
    func disableTraffic() { queue.async { [self] in (broadcaster as? SegmentBroadcaster)?.disable() } }

    /// Calls back when the broadcaster has got everything.
    func afterServing(_ completion: @escaping @Sendable () -> Void) { queue.async(execute: completion) }

    private func serve() {
        while let (work, lost) = next() {
            if lost > 1 { report(lost - 1) }
            switch work {
            case .signal(let record): hand(record)
            case .relay: broadcaster.relay()
            }
        }
    }

    private func next() -> (Work, lost: Int)? {
        waiting.withLock { waiting in
            guard let work = waiting.work.popFirst() else {
                waiting.isServing = false
                return nil
            }
            defer { waiting.dropped = 0 }
            return (work, waiting.dropped)
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
    /// Takes a signal that was emitted somewhere else. One that cannot be written is left out, which is told.
    func take(_ signal: any RawSignal) {
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
