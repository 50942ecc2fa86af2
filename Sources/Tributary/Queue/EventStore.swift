/// A store of the app's own for events that wait: given with `StorageMode.custom`.
///
/// The client keeps a few lists of byte records in it and a few values. Its promises hold as far as the store keeps its
/// own:
///
/// - When `append` or `setValue` returns, the record or value is as safe as events are to be: in a file or database if
///   they are to survive the end of the process.
/// - What was appended is returned by `read`, in the order of sequences, until it is removed.
/// - A call that throws has changed nothing. The client then keeps up to 1,000 events in memory, tries again each second,
///   and reports that once.
///
/// Then events survive a crash, leave in order, and none is sent twice for another reason than a lost answer. One store
/// belongs to one client at a time. Calls come from several threads, but for one list one `append` at a time. The bounds
/// of `Configuration.storageLimits` do not apply: a store may remove its oldest records itself.
public protocol EventStore: AnyObject, Sendable {
    /// Adds a record at the end of a list; its sequence is higher than all before.
    func append(_ record: EventStoreRecord, to list: EventStoreList) throws
    /// Records whose sequence is higher than that one, lowest first: at least one when there is one, else as many as fit
    /// into the bytes and the count.
    func read(
        _ list: EventStoreList, after sequence: UInt64, maxBytes: Int, maxCount: Int
    ) throws -> [EventStoreRecord]
    /// Removes the records up to and including that sequence.
    func remove(from list: EventStoreList, through sequence: UInt64) throws
    /// What a list holds. Asked for once, when a client begins, so it may take a little.
    func summary(of list: EventStoreList) throws -> EventStoreSummary
    /// A value that was set before; nil when it never was.
    func value(forKey key: String) throws -> [UInt8]?
    /// Keeps a value, in place of the one before.
    func setValue(_ value: [UInt8], forKey key: String) throws
}

/// A list of records in an event store.
public enum EventStoreList: String, Sendable, CaseIterable {
    /// Events that were tracked and not yet processed.
    case inbox
    /// Events that were processed and not yet sent.
    case outbox
    /// Events that the server refused for good.
    case deadLetters
    /// Events that are kept apart until the user decides whether they may be collected.
    case pending
}

/// A record of an event store: the client's bytes and their place.
public struct EventStoreRecord: Sendable, Equatable {
    /// Its place among the records of its list.
    public let sequence: UInt64
    /// The event with what belongs to it; not to be looked into.
    public let bytes: [UInt8]

    /// A record of those bytes at that place.
    public init(sequence: UInt64, bytes: [UInt8]) {
        self.sequence = sequence
        self.bytes = bytes
    }
}

/// What a list of an event store holds.
public struct EventStoreSummary: Sendable, Equatable {
    /// Records.
    public var count: Int
    /// Bytes of all records.
    public var bytes: Int
    /// The record with the highest sequence; nil when there is none.
    public var last: EventStoreRecord?

    /// A summary of those.
    public init(count: Int = 0, bytes: Int = 0, last: EventStoreRecord? = nil) {
        self.count = count
        self.bytes = bytes
        self.last = last
    }
}
