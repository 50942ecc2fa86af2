import Foundation
import Tributary
import TributaryJSON

/// Passes signals to broadcasters and scripts on the client's executor, and keeps the latest.
///
/// Unchecked because everything that changes is only touched on the executor.
final class SignalProcessor: @unchecked Sendable {
    private weak var signals: Signals?
    private weak var analytics: Analytics?
    private weak var livePlugins: LivePlugins?
    private var queues: [BroadcasterQueue] = []
    private var history = SignalHistory(capacity: SignalsConfiguration.standardBufferSize)
    private var relayCount = 1
    private var relayInterval: TimeInterval = 60
    private var privacy = SignalPrivacy(rules: [])
    private var sinceRelay = 0
    private var timer: (any ScheduledWork)?
    private var isConfigured = false
    private var isTrafficOff = false
    private var isStopped = false
    private var losses: LossReport?
    private var observation: Observation?
    /// Whether receivers may get signals. Any thread may read it.
    let permit = LockBox(CollectionPermit.pending)

    init(signals: Signals, analytics: Analytics) {
        self.signals = signals
        self.analytics = analytics
        losses = LossReport(time: analytics.time) { [weak self] lost in
            self?.report("more signals arrived than the buffer holds; the oldest are dropped", count: lost)
        }
    }

    /// Begins to follow the client's consent. Called before all other functions.
    func begin(with analytics: Analytics) {
        observation = analytics.observePermit { [weak self] permit in
            guard let self else { return }
            self.permit.withLock { $0 = permit }
            signals?.follow(permit, of: self)
        }
    }

    /// Work on the executor.
    /// - Returns: whether there is one: without its client there is not.
    @discardableResult
    func perform(_ work: @escaping @Sendable (SignalProcessor) -> Void) -> Bool {
        guard let analytics else { return false }
        analytics.performBetweenEvents { [self] in work(self) }
        return true
    }

    // MARK: Configuration

    func use(_ configuration: SignalsConfiguration) {
        guard let analytics, !isStopped else { return }
        isConfigured = true
        for queue in queues { queue.relay() }
        privacy = SignalPrivacy(rules: configuration.privacyRules)
        queues = (configuration.broadcasters ?? []).map { broadcaster in
            (broadcaster as? SegmentBroadcaster)?.adopt(configuration)
            let name = "\(type(of: broadcaster))"
            return BroadcasterQueue(broadcaster, analytics: analytics, permit: permit) { [weak self] lost in
                self?.report("\(name) is too slow; signals are dropped", count: lost)
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

    /// Called when settings are known: scripts are there, or will come.
    func begin() {
        guard let analytics, !isStopped else { return }
        if !isConfigured { use(SignalsConfiguration(writeKey: analytics.writeKey)) }
        if livePlugins == nil { follow(LivePlugins.of(analytics)) }
        openWhenReady()
    }

    /// Called when the workspace does not want signals.
    func disableTraffic() {
        isTrafficOff = true
        for queue in queues { queue.disableTraffic() }
    }

    /// Lets signals through when they have a receiver.
    private func openWhenReady() {
        guard isConfigured, livePlugins?.isSettled == true else { return }
        signals?.open(self)
    }

    /// Ends the processing of signals for the client.
    func stop() {
        isStopped = true
        timer?.cancel()
        observation?.cancel()
        for queue in queues { queue.relay() }
        queues = []
        livePlugins?.follower = nil
        livePlugins = nil
    }

    // MARK: Signals

    /// Processes some waiting signals, then lets the executor process events.
    func turn() {
        guard !isStopped else { return }
        let lost = signals?.takeDropped() ?? 0
        if lost > 0 { losses?.add(lost) }
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
        for queue in queues { queue.add(record) }
        history.append(record)
        analytics?.signalObservers.tell(record.json)
        livePlugins?.process(record, distance: entry.distance, oldest: history.oldest)
        sinceRelay += 1
        if sinceRelay >= relayCount { relay() }
    }

    /// The client may collect: broadcasters get the waiting signals.
    func resume() {
        for queue in queues { queue.resume() }
        relay()
    }

    /// The client may no longer collect: signals that no receiver has yet are deleted.
    func forget() {
        history = SignalHistory(capacity: history.capacity)
        for queue in queues { queue.forget() }
    }

    /// Asks the broadcasters to send the signals that they have collected.
    func relay() {
        sinceRelay = 0
        for queue in queues { queue.relay() }
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

    /// Calls back when broadcasters have got all processed signals.
    func afterBroadcasting(_ completion: @escaping @Sendable () -> Void) {
        var completion = completion
        for queue in queues {
            let next = completion
            completion = { queue.afterServing(next) }
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

    func scriptsAwaited() { signals?.close(self) }

    func scriptsSettled() { openWhenReady() }

    func scriptsEnded() {
        // Later, because the live plugins may be added again at once.
        perform { processor in
            guard !processor.isStopped, processor.isConfigured,
                processor.analytics?.find(pluginType: LivePlugins.self) == nil
            else { return }
            processor.signals?.open(processor)
        }
    }

    func follow(_ livePlugins: LivePlugins) {
        self.livePlugins = livePlugins
        livePlugins.follower = self
        refill()
    }

    /// Gives new scripts the signals from before their start.
    private func refill() {
        guard isConfigured else { return }
        livePlugins?.refill(size: history.capacity, with: history)
    }
}
