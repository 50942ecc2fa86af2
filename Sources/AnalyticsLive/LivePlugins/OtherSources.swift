import Tributary
import TributaryScript

/// The clients that scripts made with `new Analytics(writeKey)`: few, made once, ended together with the live plugins.
///
/// Scripts get their own client even when the app has one for that key: a script must not be able to reset or identify
/// a client that the app uses for something else. Touched only by the client's executor.
final class OtherSources {
    private struct Other {
        let analytics: Analytics
        let scriptAnalytics: ScriptAnalytics
    }

    private var others: [String: Other] = [:]

    /// The source with that write key.
    /// - Throws: `ScriptError` when the key is not valid, or when there are too many sources.
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

    /// Ends all clients. Their events stay on disk until a script requests the source again.
    func shutdown() {
        for other in others.values { other.analytics.shutdown() }
        others = [:]
    }
}
