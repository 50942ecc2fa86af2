import WorkspaceCore

extension Limits {
    /// Random bytes of a hook.
    static let hookBytes = 20
    /// Bytes of a request of another service to a source function.
    static let hookBody = 1 << 20
    /// Requests to a source function in a second, and how many of them wait or are with the function at a time.
    static let hookRequestsInSecond = 200
    static let hookPlaces = 32
    /// How long a request waits for its turn, and how long the process may take for it. Scripts are stopped after half a second,
    /// so the second limit is only for work of the engine that nothing can stop.
    static let hookWait = Duration.seconds(10)
    static let hookPatience = Duration.seconds(5)
    /// After how many seconds a sender is asked to come again: when there is no place, and when the function failed.
    static let hookPause: Int64 = 1
    static let hookPauseAfterFault: Int64 = 60
    /// How far the time of a signature may be from that of the server, in seconds: unless said, and at most.
    static let signatureTolerance: Int64 = 300
    static let signatureMostTolerance: Int64 = 86_400
    /// Signatures in one header that are looked at.
    static let signaturesInHeader = 10
    /// Bytes of a text that the App Store signed, and of a certificate in it.
    static let appStoreText = 256 << 10
    static let appStoreCertificate = 8 << 10
    /// Characters of a reason that is kept for operators.
    static let hookReason = 300
}
