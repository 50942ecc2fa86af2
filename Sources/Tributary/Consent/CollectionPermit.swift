/// Whether the library may collect the app's activity now.
package enum CollectionPermit: Sendable {
    /// Data may be collected.
    case granted
    /// The user has not decided. Data waits, and no receiver gets it.
    case pending
    /// Data must not be collected, because of the user's decision, of `enabled` or of the settings. Waiting data is
    /// dropped.
    case refused
}
