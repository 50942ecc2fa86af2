import Logging
import Tributary
import TributaryJSON
import TributaryScript

/// The client as scripts see it.
final class LivePluginClient: LivePluginBridge {
    private weak var analytics: Analytics?
    private let scriptAnalytics: ScriptAnalytics
    private let storage: ScriptStorage
    private let others: OtherSources
    private let signalIndexes: () -> Int
    /// Counts the events that scripts make.
    let counter: VersionCounter
    /// The events that scripts made since the last comparison with a shadow; nil while there is no shadow.
    private var made: MadeEvents?

    /// - Parameters:
    ///   - storage: the values that scripts store. They outlive a version of the bundle.
    ///   - others: the clients of `new Analytics(writeKey)`. They outlive it, too.
    ///   - counter: the counter of the version.
    ///   - nextSignalIndex: the index of a signal that a script adds.
    init(
        analytics: Analytics, storage: ScriptStorage, others: OtherSources, counter: VersionCounter,
        nextSignalIndex: @escaping () -> Int
    ) {
        self.counter = counter
        signalIndexes = nextSignalIndex
        self.analytics = analytics
        self.storage = storage
        self.others = others
        scriptAnalytics = ScriptAnalytics(analytics)
    }

    var traits: JSON? { scriptAnalytics.traits }
    var userId: String? { scriptAnalytics.userId }
    var anonymousId: String? { scriptAnalytics.anonymousId }
    var trackedEvents: Int { Int(analytics?.counters.tracked ?? 0) }

    func track(event: String, properties: JSON?, context: JSON) {
        counter.countMade()
        made?.track(event, properties)
        scriptAnalytics.track(event: event, properties: properties, context: context)
    }

    func identify(userId: String?, traits: JSON?, context: JSON) {
        counter.countMade()
        made?.identify(userId, traits)
        scriptAnalytics.identify(userId: userId, traits: traits, context: context)
    }

    func screen(title: String, category: String?, properties: JSON?, context: JSON) {
        counter.countMade()
        made?.screen(title, category, properties)
        scriptAnalytics.screen(title: title, category: category, properties: properties, context: context)
    }

    func group(groupId: String, traits: JSON?, context: JSON) {
        counter.countMade()
        made?.group(groupId, traits)
        scriptAnalytics.group(groupId: groupId, traits: traits, context: context)
    }

    func alias(newId: String, context: JSON) {
        counter.countMade()
        made?.alias(newId)
        scriptAnalytics.alias(newId: newId, context: context)
    }

    /// From now on, `takeMade` has the events that scripts make; or no longer.
    func recordMade(_ isOn: Bool) { made = isOn ? MadeEvents() : nil }

    /// The events that scripts made since the last call.
    func takeMade() -> MadeEvents {
        defer { if made != nil { made = MadeEvents() } }
        return made ?? MadeEvents()
    }

    func reset() { scriptAnalytics.reset() }

    func flush() { scriptAnalytics.flush() }

    func source(writeKey: String) throws(ScriptError) -> (any LivePluginSource)? {
        guard let analytics else { return nil }
        return try others.source(writeKey: writeKey, beside: analytics)
    }

    func nextSignalIndex() -> Int { signalIndexes() }

    func storedValue(forKey key: String) -> JSON? { storage[key] }

    func storeValue(_ value: JSON?, forKey key: String) throws(ScriptError) {
        do {
            try storage.set(value, forKey: key)
        } catch {
            analytics?.report(Diagnostic(.pluginFault, "a script cannot store '\(key)': \(error)"))
            // A failure of the disk is not the script's fault.
            if let error = error as? JSONError {
                throw ScriptError(.badValue, "'\(key)' is not stored: \(error.detail)")
            }
        }
    }

    func console(_ level: ScriptEngine.ConsoleLevel, _ text: String) {
        switch level {
        case .error: analytics?.logger.error("\(text)")
        case .warn: analytics?.logger.warning("\(text)")
        case .debug: analytics?.logger.debug("\(text)")
        default: analytics?.logger.info("\(text)")
        }
    }
}
