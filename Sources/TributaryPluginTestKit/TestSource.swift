import AnalyticsLive
import TributaryJSON

/// A source for the scripts of a test run: they make events of a user.
class TestSource: LivePluginSource {
    var traits: JSON?
    var userId: String?
    var anonymousId: String?

    /// Takes an event that a script made.
    func take(_ event: JSON) {}

    final func track(event: String, properties: JSON?, context: JSON) {
        take(TestEvents.track(event, properties, context))
    }

    final func identify(userId: String?, traits: JSON?, context: JSON) {
        if let userId { self.userId = userId }
        if let traits { self.traits = traits }
        take(TestEvents.identify(userId, traits, context))
    }

    final func screen(title: String, category: String?, properties: JSON?, context: JSON) {
        take(TestEvents.screen(title, category, properties, context))
    }

    final func group(groupId: String, traits: JSON?, context: JSON) { take(TestEvents.group(groupId, traits, context)) }

    final func alias(newId: String, context: JSON) {
        let previous = userId ?? anonymousId
        userId = newId
        take(TestEvents.alias(newId, previous: previous, context))
    }

    final func reset() {
        userId = nil
        traits = nil
    }

    final func flush() {}
}
