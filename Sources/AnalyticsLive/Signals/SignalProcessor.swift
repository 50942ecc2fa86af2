import Foundation
import Tributary
import TributaryJSON

/// What becomes of signals on the client's executor: broadcasters and scripts get them, and the latest are kept.
///
/// Unchecked because everything that changes is only touched on the executor.
final class SignalProcessor: @unchecked Sendable {
    private weak var signals: Signals?
    private weak var analytics: Analytics?
    private weak var livePlugins: LivePlugins?
    private var lines: [BroadcasterLine] = []
    private var history = SignalHistory(capacity: SignalsConfiguration.standardBufferSize)
    private var relayCount = 1
    private var relayInterval: TimeInterval = 60
    private var privacy = SignalPrivacy(rules: [])
    private var sinceRelay = 0
    private var timer: (any ScheduledWork)?
    private var isConfigured = false
    private var isTrafficOff = false
    private var isStopped = false

    init(signals: Signals, analytics: Analytics) {
        self.signals = signals
        self.analytics = analytics
    }

    /// Work on the executor.
    func perform(_ work: @escaping @Sendable (SignalProcessor) -> Void) {
        analytics?.performBetweenEvents { [self] in work(self) }
    }

    // MARK: Configuration

    func use(_ configuration: SignalsConfiguration) {
        guard let analytics, !isStopped else { return }
        isConfigured = true
        for line in lines { line.relay() }
        privacy = SignalPrivacy(rules: configuration.privacyRules)
        lines = (configuration.broadcasters ?? []).map { broadcaster in
            (broadcaster as? SegmentBroadcaster)?.adopt(configuration)
            let name = "\(type(of: broadcaster))"
            return BroadcasterLine(broadcaster, analytics: analytics) { [weak self] lost in
                self?.report("\(name) is behind: signals are left out", count: lost)
            }
        }
        if isTrafficOff { disableTraffic() }
        history.capacity = configuration.bufferSize
        relayCount = max(configuration.relayCount, 1)
        relayInterval = max(configuration.relayInterval, SignalLimits.shortestRelayInterval)
        scheduleRelay()
        refill()
        openWhenReady()
    }

    /// Settings are known: scripts are there, or on their way.
    func begin() {
        guard let analytics, !isStopped else { return }
        if !isConfigured { use(SignalsConfiguration(writeKey: analytics.writeKey)) }
        if livePlugins == nil { follow(LivePlugins.of(analytics)) }
        openWhenReady()
    }

    /// The workspace does not want to watch.
    func disableTraffic() {
        isTrafficOff = true
        for line in lines { line.disableTraffic() }
    }

    /// Signals have somebody to go to.
    private func openWhenReady() {
        guard isConfigured, livePlugins?.isSettled == true else { return }
        signals?.open(self)
    }

    /// No more signals for the client.
    func stop() {
        isStopped = true
        timer?.cancel()
        for line in lines { line.relay() }
        lines = []
        livePlugins?.follower = nil
        livePlugins = nil
    }

    // MARK: Signals

    /// Processes some of those that wait, then lets events have the executor.
    func turn() {
        guard !isStopped else { return }
        let lost = signals?.takeDropped() ?? 0
        if lost > 0 { report("more signals came than the buffer holds; the oldest are left out", count: lost) }
        for _ in 0..<SignalLimits.signalsPerTurn {
            guard let entry = signals?.next() else { return }
            process(entry)
        }
        perform { $0.turn() }
    }

    private func process(_ entry: SignalInbox.Entry) {
        let record: SignalRecord
        do {
            var signal = entry.signal
            if signal.anonymousId.isEmpty { signal.anonymousId = analytics?.anonymousId ?? "" }
            guard let allowed = try privacy.apply(to: SignalRecord(signal)) else { return }
            record = allowed
        } catch {
            return report("a signal of type \(type(of: entry.signal)) is left out: \(error)")
        }
        for line in lines { line.add(record) }
        history.append(record)
        livePlugins?.process(record, distance: entry.distance, oldest: history.oldest)
        sinceRelay += 1
        if sinceRelay >= relayCount { relay() }
    }

    /// Broadcasters should send what they have collected.
    func relay() {
        sinceRelay = 0
        for line in lines { line.relay() }
    }

    private func scheduleRelay() {
        timer?.cancel()
        timer = analytics?.time.schedule(after: relayInterval, on: .global()) { [weak self] in
            self?.perform { processor in
                guard !processor.isStopped else { return }
                processor.relay()
                processor.scheduleRelay()
            }
        }
    }

    /// Calls back when broadcasters have got everything that was processed.
    func afterBroadcasting(_ completion: @escaping @Sendable () -> Void) {
        var completion = completion
        for line in lines {
            let next = completion
            completion = { line.afterServing(next) }
        }
        completion()
    }

    private func report(_ message: String, count: Int = 1) {
        analytics?.report(Diagnostic(.signals, message, plugin: "Signals", count: count))
    }
}

extension SignalProcessor: ScriptFollower {
    func nextSignalIndex() -> Int { signals?.nextIndex ?? 0 }

    func scriptsChanged() { refill() }

    func scriptsSettled() { openWhenReady() }

    func follow(_ livePlugins: LivePlugins) {
        self.livePlugins = livePlugins
        livePlugins.follower = self
        refill()
    }

    /// Scripts that begin now find the signals that were there before.
    private func refill() {
        guard isConfigured else { return }
        livePlugins?.refill(size: history.capacity, with: history)
    }
}
