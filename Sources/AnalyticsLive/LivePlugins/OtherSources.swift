import Tributary
import TributaryScript

/// The clients that scripts made with `new Analytics(writeKey)`: few, made once, ended with the live plugins.
///
/// Scripts get a client of their own, also when the app has a client for that key: a script must not be able to reset
/// or identify a client that the app uses for something else. Touched by the client's executor only.
final class OtherSources {
    private struct Other {
        let analytics: Analytics
        let scriptAnalytics: ScriptAnalytics
    }

    private var others: [String: Other] = [:]

    /// The source of that write key.
    /// - Throws: `ScriptError` when the key is none, or there are too many.
    func source(writeKey: String, beside analytics: Analytics) throws(ScriptError) -> any LivePluginSource {
        if let other = others[writeKey] {
            Self.align(other.analytics, with: analytics)
            return other.scriptAnalytics
        }
        try LivePluginLimits.check(newSource: writeKey, besides: others.count)
        let client = analytics.sibling(writeKey: writeKey)
        Self.align(client, with: analytics)
        let other = Other(analytics: client, scriptAnalytics: ScriptAnalytics(client))
        others[writeKey] = other
        return other.scriptAnalytics
    }

    /// Gives the other client the consent of the app's client.
    private static func align(_ other: Analytics, with analytics: Analytics) {
        if other.enabled != analytics.enabled { other.enabled = analytics.enabled }
        guard other.consent != analytics.consent || other.consentCategories != analytics.consentCategories else {
            return
        }
        other.setConsent(analytics.consent, categories: analytics.consentCategories)
    }

    /// Ends all of them; what they tracked stays on disk until a script asks for them again.
    func shutdown() {
        for other in others.values { other.analytics.shutdown() }
        others = [:]
    }
}
