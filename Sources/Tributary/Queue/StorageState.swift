import TributaryJournal

/// Whether a tracked event survives the end of the process now, and how much waits to be sent.
///
/// ```swift
/// let state = analytics.storageState
/// if !state.survivesProcess { print("\(state.waitingEvents) events are in memory: \(state.detail ?? "")") }
/// ```
public struct StorageState: Sendable, Equatable {
    /// The reason why events are not on disk. The number of reasons is bounded, so a reason can serve as a label.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The label.
        public let description: String
        init(_ description: String) { self.description = description }

        /// The configuration has `StorageMode.memory`.
        public static let memoryMode = Reason("memory_mode")
        /// The disk or the quota is full.
        public static let noSpace = Reason("no_space")
        /// The folder cannot be written to.
        public static let readOnly = Reason("read_only")
        /// Access is refused now, perhaps because the device is locked.
        public static let unreadable = Reason("unreadable")
        /// The folder, or a file in it, is missing.
        public static let missing = Reason("missing")
        /// A newer version of the library has used the folder.
        public static let newerFormat = Reason("newer_format")
        /// The folder was encrypted with another key than the configuration's.
        public static let otherKey = Reason("other_key")
        /// Any other error of the system.
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

    /// The waiting events of one event queue: this client's, or one that an ended process left.
    public struct Queue: Sendable, Equatable {
        /// The queue with events added that wait in memory until the disk can be read.
        func adding(_ held: Int) -> Queue {
            Queue(
                number: number, isOwn: isOwn, unprocessed: unprocessed + held, unsent: unsent, bytes: bytes,
                inMemory: inMemory + held)
        }

        /// The number in the name of the queue's folder.
        public let number: Int
        /// Whether the queue is this client's. Otherwise an ended process left it, and this client empties it.
        public let isOwn: Bool
        /// Events that were tracked and not yet processed.
        public let unprocessed: Int
        /// Events that were processed and not yet sent.
        public let unsent: Int
        /// The approximate bytes of both.
        public let bytes: Int
        /// The number of these events that are only in memory.
        public let inMemory: Int
    }

    /// The reason why a tracked event does not survive the end of the process now; nil when it does.
    public let reason: Reason?
    /// The reason as a sentence, with the system's report.
    public let detail: String?
    /// The event queues of this client, its own first.
    public let queues: [Queue]

    /// Whether a tracked event survives the end of the process now.
    public var survivesProcess: Bool { reason == nil }
    /// The number of events that wait to be processed or sent.
    public var waitingEvents: Int { queues.reduce(0) { $0 + $1.unprocessed + $1.unsent } }
    /// The approximate bytes of the waiting events.
    public var waitingBytes: Int { queues.reduce(0) { $0 + $1.bytes } }
}

extension Diagnostic {
    /// A failure of the disk.
    static func storage(_ text: String, _ error: any Error) -> Diagnostic {
        Diagnostic(.storage, "\(text): \(error)", reason: .init(StorageState.Reason(error)))
    }
}

extension Diagnostic.Reason {
    /// The reason for a diagnostic when events are not on disk.
    init(_ reason: StorageState.Reason) { self.init(reason.description) }
}
