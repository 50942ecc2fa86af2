import Tributary
import TributaryJSON

/// The client behind the `Analytics` object of a script.
final class ScriptAnalytics: LivePluginSource {
    private weak var analytics: Analytics?

    init(_ analytics: Analytics) { self.analytics = analytics }

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

    func flush() { analytics?.requestFlush() }
}
