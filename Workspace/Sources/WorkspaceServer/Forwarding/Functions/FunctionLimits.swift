import WorkspaceCore

extension Limits {
    /// Bytes of the code of a destination function.
    static let functionCode = 256 << 10
    /// Secrets of a function, characters of the name and bytes of the value of one.
    static let functionSecrets = 50
    static let functionSecretName = 64
    static let functionSecret = 8 << 10
    /// Requests that a function makes of one event or batch; bytes of the body of one, headers of one, bytes of a header.
    static let functionRequests = 10
    static let functionBody = 1 << 20
    static let functionHeaders = 50
    static let functionHeader = 8 << 10
    /// Bytes of an answer that a function reads. A longer one is an empty text for it.
    static let functionAnswer = 64 << 10
    /// Hosts that a function names.
    static let functionHosts = 20
    /// The most events of one batch.
    static let functionBatch = 1_000
    /// Stored events of a trial of a function: unless said, and at most.
    static let functionTrialEvents = 20
    static let functionTrialMostEvents = 200
}
