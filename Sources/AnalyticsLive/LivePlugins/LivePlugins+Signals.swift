import Tributary
import TributaryJSON
import TributaryScript

/// Observes the running scripts, and passes signals to them. Called on the client's executor.
protocol ScriptFollower: AnyObject {
    /// The index of the next signal.
    func nextSignalIndex() -> Int
    /// Called when other scripts run, or none.
    func scriptsChanged()
    /// Called when scripts are going to be loaded, because the live plugins were added.
    func scriptsAwaited()
    /// Called when the first scripts run, or when there are none.
    func scriptsSettled()
    /// Called when the live plugins were removed, or their client has ended.
    func scriptsEnded()
    /// Called when other live plugins replace these.
    func follow(_ livePlugins: LivePlugins)
}

extension LivePlugins {
    /// The live plugins of a client. They are added when the app has added none.
    static func of(_ analytics: Analytics) -> LivePlugins {
        if let livePlugins = analytics.find(pluginType: LivePlugins.self) { return livePlugins }
        let livePlugins = LivePlugins(fallbackFileURL: nil)
        livePlugins.isForSignals = true
        analytics.add(plugin: livePlugins)
        return livePlugins
    }

    /// Replaces live plugins that were added for signals by the app's own, so that no script runs twice.
    func replaceThoseForSignals(of analytics: Analytics) {
        for other in analytics.findAll(pluginType: LivePlugins.self) ?? [] where other !== self && other.isForSignals {
            analytics.remove(plugin: other)
            analytics.performBetweenEvents { [self] in
                let follower = other.follower
                other.follower = nil
                follower?.follow(self)
            }
        }
    }

    /// Lets the scripts process a signal.
    ///
    /// - Parameters:
    ///   - distance: the number of steps from the app's event to the event that the signal was made of.
    ///   - oldest: the index of the oldest signal that scripts may keep.
    func process(_ record: SignalRecord, distance: Int, oldest: Int) {
        guard allowsSignals, let bundleVersion = running else { return }
        defer { bundleVersion.followShadow(record, distance: distance, oldest: oldest) }
        guard !bundleVersion.generators.isOff else { return }
        do {
            try inside(.signal(record.json), of: bundleVersion) {
                try bundleVersion.runtime.process(record.json, text: record.text, distance: distance, oldest: oldest)
            }
        } catch {
            let text = bundleVersion.generators.note(error as? ScriptError, limit: budget.faults)
            analytics?.report(Diagnostic(.signals, text, plugin: "processSignal"))
            bundleVersion.counter.countGenerator(FaultText.masked(text, record.json.objectValue ?? [:]))
            if bundleVersion.generators.isOff { bundleVersion.counter.count(.generatorsOff) }
            reportFirstFault(bundleVersion.counter)
        }
        if let failure = bundleVersion.runtime.failure { giveUp(bundleVersion, failure) }
    }

    private var allowsSignals: Bool { permissions?.allowsSignals != false }

    /// Reports a bundle that waits for signals in vain.
    func reportSignalsNotAllowed(to runtime: LivePluginRuntime) {
        guard !allowsSignals, runtime.hasGenerator else { return }
        report("the app does not allow scripts to get signals, so processSignal of this version is not called")
    }

    /// Gives the scripts the signals from before their start.
    func refill(size: Int, with history: @autoclosure () -> SignalHistory) {
        guard allowsSignals, let bundleVersion = running, bundleVersion.runtime.failure == nil else { return }
        do {
            let text = history().text
            try inside(.load, of: bundleVersion) { try bundleVersion.runtime.refillSignals(size: size, text: text) }
            try bundleVersion.shadow?.refill(size: size, with: text)
        } catch {
            report("the latest signals cannot be given to the scripts: \(error)")
        }
    }

    /// The index of a signal that a script adds.
    func nextSignalIndex() -> Int {
        if let follower { return follower.nextSignalIndex() }
        defer { ownSignals += 1 }
        return ownSignals
    }
}
