import Tributary
import TributaryJSON
import TributaryScript

/// An observer of the running scripts, which passes signals to them. Called on the client's executor.
protocol ScriptFollower: AnyObject {
    /// The place of the next signal.
    func nextSignalIndex() -> Int
    /// Other scripts run, or none.
    func scriptsChanged()
    /// The first scripts run, or it is known that there are none.
    func scriptsSettled()
    /// Other live plugins replace these from now on.
    func follow(_ livePlugins: LivePlugins)
}

extension LivePlugins {
    /// The live plugins of a client; when the app has added none, the client gets some.
    static func of(_ analytics: Analytics) -> LivePlugins {
        if let livePlugins = analytics.find(pluginType: LivePlugins.self) { return livePlugins }
        let livePlugins = LivePlugins(fallbackFileURL: nil)
        livePlugins.isForSignals = true
        analytics.add(plugin: livePlugins)
        return livePlugins
    }

    /// The app's own live plugins replace those that were added for signals, so that no script runs twice.
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
    ///   - distance: how far the event that it was made of is from the app's.
    ///   - oldest: the index of the oldest signal that scripts may keep.
    func process(_ record: SignalRecord, distance: Int, oldest: Int) {
        guard let bundleVersion = running, !bundleVersion.generators.isOff else { return }
        do {
            try inside(.signal(record.json), of: bundleVersion) {
                try bundleVersion.runtime.process(record.json, text: record.text, distance: distance, oldest: oldest)
            }
        } catch {
            let text = bundleVersion.generators.note(error as? ScriptError, limit: budget.faults)
            analytics?.report(Diagnostic(.signals, text, plugin: "processSignal"))
            bundleVersion.counter.countGenerator(FaultText.masked(text, record.json.objectValue ?? [:]))
            if bundleVersion.generators.isOff { bundleVersion.counter.count(.generatorsOff) }
            tellFirstFault(bundleVersion.counter)
        }
        if let failure = bundleVersion.runtime.failure { giveUp(bundleVersion, failure) }
    }

    /// Gives the scripts the signals that came before them.
    func refill(size: Int, with history: @autoclosure () -> SignalHistory) {
        guard let bundleVersion = running, bundleVersion.runtime.failure == nil else { return }
        do {
            let text = history().text
            try inside(.load, of: bundleVersion) { try bundleVersion.runtime.refillSignals(size: size, text: text) }
        } catch {
            report("the latest signals cannot be given to the scripts: \(error)")
        }
    }

    /// The place of a signal that a script adds.
    func nextSignalIndex() -> Int {
        if let follower { return follower.nextSignalIndex() }
        defer { ownSignals += 1 }
        return ownSignals
    }
}
