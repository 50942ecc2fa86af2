import WorkspaceCore

extension Limits {
    /// A body has to come with that many bytes a second, after a time in which it need not. Only the time in which the server
    /// waits for its client counts.
    static let bodyBytesPerSecond: Int64 = 1_024
    static let bodyGrace = Duration.seconds(20)
    /// What a request may have besides its body: its head, the heads of chunks with their extensions, trailers, and empty
    /// lines before it; and how much more of it for each byte of the body. A chunk of one byte has five bytes besides.
    static let framingBytes = 128 << 10
    static let framingBytesOfBodyByte = 16
    /// How long the rest of a body may still come after the answer.
    static let restOfBody = Duration.seconds(10)
    /// Bytes up to which the chunks of one read are joined.
    static let collectedChunks = 1 << 10
    /// When the server ends: how long the rest of a body may still come, and how long a client may take nothing of its answer.
    /// How long a client may stay after the answer to a request that cannot be read.
    static let restOfConnection = Duration.seconds(2)
    /// How long a client may take nothing of its answer, and the time between two looks at that.
    static let untakenAnswer = Duration.seconds(30)
    static let connectionLook = Duration.seconds(5)
    /// A client that has taken nothing for that long may lose its connection to a new one, where all are in use.
    static let blockedMoment = Duration.seconds(1)
    /// The most bytes that are read from a connection at a time. The bytes wait in the connection's own memory until
    /// the body has a place in `BodyMemory`.
    static let readAtOnce = 16 << 10
    /// The part of the connections that is kept for administrators, when other connections use up the rest.
    static let partForAdministrators = 16
    /// Body of the other administrative requests.
    static let administrationBody = 1 << 20
    /// Open files that are reserved for databases, the journal and destinations, however many clients connect; half of
    /// the files where the system allows few.
    static let reservedFiles = 512
}
