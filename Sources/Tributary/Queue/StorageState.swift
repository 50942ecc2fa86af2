import TributaryJournal

/// Whether what is tracked now survives the end of the process, and what waits to be sent.
public struct StorageState: Sendable, Equatable {
    /// Why events are not on disk: bounded, so it can serve as a label.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The label.
        public let description: String
        init(_ description: String) { self.description = description }

        /// The configuration says so: `StorageMode.memory`.
        public static let memoryMode = Reason("memory_mode")
        /// The disk or the quota is full.
        public static let noSpace = Reason("no_space")
        /// The folder cannot be written to.
        public static let readOnly = Reason("read_only")
        /// Access is refused now, perhaps because the device is locked.
        public static let unreadable = Reason("unreadable")
        /// The folder, or files in it, are not there.
        public static let missing = Reason("missing")
        /// A newer version of the library has used the folder.
        public static let newerFormat = Reason("newer_format")
        /// The folder was encrypted with another key than the configuration's.
        public static let otherKey = Reason("other_key")
        /// Anything else that the system reported.
        public static let failure = Reason("failure")

        init(_ error: any Error) {
            guard let error = error as? JournalError else {
                self = .failure
                return
            }
            switch error.reason {
            case .noSpace: self = .noSpace
            case .readOnly: self = .readOnly
            case .unreadable: self = .unreadable
            case .missing, .detached: self = .missing
            case .newerFormat: self = .newerFormat
            case .otherKey: self = .otherKey
            default: self = .failure
            }
        }
    }

    /// What waits in one event queue: that of this client, or one that an ended process left.
    public struct Queue: Sendable, Equatable {
        /// The same with events that wait in memory until the disk can be read.
        func adding(_ held: Int) -> Queue {
            Queue(
                number: number, isOwn: isOwn, unprocessed: unprocessed + held, unsent: unsent, bytes: bytes,
                inMemory: inMemory + held)
        }

        /// Its number, which is in the name of its folder.
        public let number: Int
        /// Whether it is this client's; else it was left by a process that has ended, and is being emptied.
        public let isOwn: Bool
        /// Events that were tracked and not yet processed.
        public let unprocessed: Int
        /// Events that were processed and not yet sent.
        public let unsent: Int
        /// Bytes of both, about.
        public let bytes: Int
        /// Events, among these, that are only in memory.
        public let inMemory: Int
    }

    /// Why what is tracked now does not survive the end of the process; nil when it does.
    public let reason: Reason?
    /// The same as a sentence, with what the system reported.
    public let detail: String?
    /// What waits in each event queue that this client looks after; its own is the first.
    public let queues: [Queue]

    /// Whether what is tracked now survives the end of the process.
    public var survivesProcess: Bool { reason == nil }
    /// Events that wait to be processed or sent.
    public var waitingEvents: Int { queues.reduce(0) { $0 + $1.unprocessed + $1.unsent } }
    /// Bytes that they take, about.
    public var waitingBytes: Int { queues.reduce(0) { $0 + $1.bytes } }
}
