/// The conditions that deployed live plugins must meet before they run in an app.
///
/// With several keys, one stolen key does not change the app. With `isLogged`, a device also demands a proof that the
/// version stands in the log of the workspace's deployments, and that this log only grew since the device saw it last. An
/// auditor who checks the log (`tributary log verify`) then sees every version that devices accept.
///
/// ```swift
/// let keys = [
///     "2u9PXf4eeQ0IhGYp0vPbTzhgYs4sQz3lQGv3HjQxT0A=", "b0Wn0mbqXq3pY8dCkdhXKu4rQ2aV1lXo6gq0s9v8uJc=",
///     "Zk3c9l1v2b8XoQf7m5sYt0nR4wE6hU1jGdKaPiLzS7M=",
/// ]
/// analytics.add(plugin: LivePlugins(trust: BundleTrust(keys: keys, atLeast: 2, isLogged: true)))
/// ```
///
/// Conditions that no bundle can meet (a text that is not a key, more signatures than keys) let no bundle run: an app
/// that wants signatures must not run without them by mistake. The app's own fallback file needs neither signatures
/// nor the log.
public struct BundleTrust: Sendable, Equatable {
    /// The Ed25519 public keys that count, each 32 bytes in base 64, as `tributary plugin key` prints them.
    public let keys: [String]
    /// The number of different keys that must have signed a bundle. 0 without keys.
    public let count: Int
    /// Whether a version must stand in the log of deployments.
    public let isLogged: Bool

    /// - Parameters:
    ///   - keys: the keys that sign, at most 16. Default: none, so that bundles need no signature.
    ///   - count: the number of different keys that must have signed. Default: 1, or 0 without keys.
    ///   - isLogged: whether a version must stand in the log of deployments. Default: false. An older workspace
    ///     has no log, and its bundles do not run then.
    public init(keys: [String] = [], atLeast count: Int? = nil, isLogged: Bool = false) {
        self.keys = keys
        self.count = count ?? min(1, keys.count)
        self.isLogged = isLogged
    }
}
