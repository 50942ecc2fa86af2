import Tributary

/// The clients that scripts made with `new Analytics(writeKey)`: few, made once, ended with the live plugins.
///
/// A client of its own rather than the app's client for that key, if there is one: a script must not be able to reset
/// or identify a client that the app uses for something else. Touched by the client's executor only.
final class OtherSources {
    private struct Other {
        let analytics: Analytics
        let account: LivePluginAccount
    }

    private var others: [String: Other] = [:]

    /// The source of that write key; nil when the key is none, or there are too many.
    func source(writeKey: String, beside analytics: Analytics) -> (any LivePluginSource)? {
        if let other = others[writeKey] { return other.account }
        guard !writeKey.isEmpty, writeKey.utf8.count <= LivePluginLimits.writeKeyLength,
            others.count < LivePluginLimits.otherSources
        else { return nil }
        let client = analytics.sibling(writeKey: writeKey)
        let other = Other(analytics: client, account: LivePluginAccount(client))
        others[writeKey] = other
        return other.account
    }

    /// Ends all of them; what they tracked stays on disk until a script asks for them again.
    func shutdown() {
        for other in others.values { other.analytics.shutdown() }
        others = [:]
    }
}
