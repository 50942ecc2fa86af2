import WorkspaceCore

extension Limits {
    /// Bytes of an answer of the provider, and seconds until it has come.
    static let openIDAnswer = 256 << 10
    static let openIDSeconds: Int64 = 10
    /// Bytes of a token of the provider, and of a name of a person.
    static let openIDToken = 32 << 10
    static let personName = 200
    /// How long a person may take to log in with the provider.
    static let openIDAttemptMilliseconds: Int64 = 600_000
    /// How long the addresses and the keys of the provider are taken as they are, and how soon they are read again because a
    /// token names a key that is not known.
    static let openIDKnowledgeMilliseconds: Int64 = 600_000
    static let openIDRereadMilliseconds: Int64 = 10_000
    /// How long a provider that gave no answer is not asked again.
    static let openIDPauseMilliseconds: Int64 = 3_000
    /// How far the clock of the provider may be ahead.
    static let openIDSkewMilliseconds: Int64 = 60_000
    /// Keys of a provider, groups of a person, and requests to the provider at once.
    static let openIDKeys = 50
    static let openIDValues = 1_000
    static let openIDRequests = 20
}
