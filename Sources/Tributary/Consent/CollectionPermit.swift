/// Whether what happens in the app may be collected now.
package enum CollectionPermit: Sendable {
    /// It may.
    case granted
    /// The user has not decided: data waits, and no receiver gets it.
    case pending
    /// It may not: by the user's decision, by `enabled` or by the settings. What waits is given up.
    case refused
}
