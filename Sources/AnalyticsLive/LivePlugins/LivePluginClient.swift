import Logging
import Tributary
import TributaryJSON
import TributaryScript

/// The client as scripts see it.
final class LivePluginClient: LivePluginBridge {
    private weak var analytics: Analytics?
    private let storage: ScriptStorage

    init(analytics: Analytics) {
        self.analytics = analytics
        storage = ScriptStorage(folder: analytics.storageFolder)
    }

    var traits: JSON? { analytics?.userInfo.traits }
    var userId: String? { analytics?.userId }
    var anonymousId: String? { analytics?.anonymousId }

    func track(event: String, properties: JSON?, context: JSON) {
        analytics?.track(event, properties, EventOptions(context: context.objectValue), [])
    }

    func identify(userId: String?, traits: JSON?, context: JSON) {
        analytics?.identify(userId, traits, EventOptions(context: context.objectValue), [])
    }

    func screen(title: String, category: String?, properties: JSON?, context: JSON) {
        analytics?.screen(title, category, properties, EventOptions(context: context.objectValue), [])
    }

    func group(groupId: String, traits: JSON?, context: JSON) {
        analytics?.group(groupId, traits, EventOptions(context: context.objectValue), [])
    }

    func alias(newId: String, context: JSON) { analytics?.alias(newId, EventOptions(context: context.objectValue), []) }

    func reset() { analytics?.reset() }

    func flush() { analytics?.flush() }

    /// Scripts cannot reach other sources yet.
    func source(writeKey: String) -> (any LivePluginSource)? { nil }

    func storedValue(forKey key: String) -> JSON? { storage[key] }

    func storeValue(_ value: JSON?, forKey key: String) {
        do {
            try storage.set(value, forKey: key)
        } catch {
            analytics?.report(Diagnostic(.pluginFault, "a script cannot store '\(key)': \(error)"))
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
