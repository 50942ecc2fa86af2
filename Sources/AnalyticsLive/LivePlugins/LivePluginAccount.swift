import Tributary
import TributaryJSON

/// A client, as an `Analytics` object of a script sees it.
final class LivePluginAccount: LivePluginSource {
    private weak var analytics: Analytics?

    init(_ analytics: Analytics) { self.analytics = analytics }

    var traits: JSON? { analytics?.userInfo.traits }
    var userId: String? { analytics?.userId }
    var anonymousId: String? { analytics?.anonymousId }

    func track(event: String, properties: JSON?, context: JSON) {
        analytics?.track(event, properties, context: context, closures: [])
    }

    func identify(userId: String?, traits: JSON?, context: JSON) {
        analytics?.identify(userId, traits, context: context, closures: [])
    }

    func screen(title: String, category: String?, properties: JSON?, context: JSON) {
        analytics?.screen(title, category, properties, context: context, closures: [])
    }

    func group(groupId: String, traits: JSON?, context: JSON) {
        analytics?.group(groupId, traits, context: context, closures: [])
    }

    func alias(newId: String, context: JSON) { analytics?.alias(newId, context: context, closures: []) }

    func reset() { analytics?.reset() }

    func flush() { analytics?.flush() }
}
