/// The reason why the journal could not do something.
///
/// An error loses nothing that was stored before. When an append throws, its record is not in the journal.
public struct JournalError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of a failure. The number of kinds is bounded, so a kind can serve as a label.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The label.
        public let description: String
        /// Another journal, in this process or another one, has the folder.
        public static let inUse = Reason(description: "in_use")
        /// The disk or the quota is full, or the file would grow beyond what the system allows.
        public static let noSpace = Reason(description: "no_space")
        /// The file system cannot be written to.
        public static let readOnly = Reason(description: "read_only")
        /// Access is refused now, perhaps because the device is locked. This is not damage, and another attempt may
        /// succeed later.
        public static let unreadable = Reason(description: "unreadable")
        /// The system reported an input or output error, or one that has no kind here.
        public static let inputOutput = Reason(description: "input_output")
        /// A file or folder is missing.
        public static let missing = Reason(description: "missing")
        /// The process or the system has no file descriptors or memory left.
        public static let exhausted = Reason(description: "exhausted")
        /// A payload, a snapshot or the data of the mark is larger than `JournalLimits` allows.
        public static let tooLarge = Reason(description: "too_large")
        /// A newer version has written the folder. The journal leaves it alone.
        public static let newerFormat = Reason(description: "newer_format")
        /// All sequences are used up, or a number is beyond `JournalLimits.sequence`.
        public static let sequenceOutOfRange = Reason(description: "sequence_out_of_range")
        /// The folder was encrypted with another key, or the options have no key for it. The journal leaves it alone,
        /// and can read it again with the right key. Meanwhile the owner can use another folder.
        public static let otherKey = Reason(description: "other_key")
        /// The cipher could not seal a payload.
        public static let cipherFailed = Reason(description: "cipher_failed")
        /// The folder, or files of it that are in use, were deleted or replaced. Appended records are lost with them.
        public static let detached = Reason(description: "detached")
        /// The journal was closed.
        public static let closed = Reason(description: "closed")
    }

    /// The kind of the failure.
    public let reason: Reason
    /// The system's error number; 0 when no system call was involved.
    public let errno: Int32
    /// The operation that failed, as a text for people. Files are named without their folder.
    public let detail: String

    /// An error without a system call.
    public init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.errno = 0
        self.detail = detail
    }

    /// The failure as a sentence.
    public var description: String {
        errno == 0 ? "\(detail) (\(reason))" : "\(detail) (\(reason), errno \(errno))"
    }

    static let closed = JournalError(.closed, "the journal is closed")
}
