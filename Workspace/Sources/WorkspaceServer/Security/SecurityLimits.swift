import WorkspaceCore

extension Limits {
    /// Bytes of a body in which a write key is looked for before the rest has come.
    static let bodyBeginning = 4 << 10
    /// Wrong tokens that one address may send in a minute, and the number of addresses that are remembered for it.
    static let guesses = 10
    static let guessMilliseconds: Int64 = 60_000
    static let guessers = 10_000
    /// Bytes of the address that a reader gets to see after logging in.
    static let loginTarget = 2_000
    /// Sources that a token may be limited to.
    static let tokenSources = 1_000
    /// How exactly the last use of a named token is stored.
    static let tokenUseMilliseconds: Int64 = 3_600_000
    /// Body of a login.
    static let loginBody = 4 << 10
    /// Logins on the page at once; how long one lasts without being used: twelve hours; and at most: 30 days.
    static let logins = 400
    static let loginMilliseconds: Int64 = 12 * 3_600_000
    static let longestLoginMilliseconds: Int64 = 30 * 24 * 3_600_000
}
