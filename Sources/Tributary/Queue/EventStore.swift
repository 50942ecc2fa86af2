/// An app's own store for waiting events, for `StorageMode.custom`.
///
/// The client keeps lists of byte records and some values in it. The client's promises hold when the store keeps these
/// rules:
///
/// - When `append` or `setValue` returns, the record or value is stored. To survive the end of the process, it has to
///   be in a file or a database.
/// - `read` returns appended records in the order of their sequences, until they are removed.
/// - A call that throws has changed nothing. The client then keeps up to 1,000 events in memory, tries again each
///   second, and reports that once.
///
/// Then events survive a crash and leave in order, and an event is sent twice only when an answer was lost. A store
/// belongs to one client at a time. Calls come from several threads, but only one `append` at a time for each list. The
/// limits of `Configuration.storageLimits` do not apply; a store may remove its oldest records itself.
///
/// ```swift
/// /// Keeps events until the process ends; a database in place of the dictionaries keeps them longer.
/// final class ListStore: EventStore, @unchecked Sendable {
///     private let lock = NSLock()
///     private var lists: [EventStoreList: [EventStoreRecord]] = [:]
///     private var values: [String: [UInt8]] = [:]
///
///     func append(_ record: EventStoreRecord, to list: EventStoreList) {
///         lock.withLock { lists[list, default: []].append(record) }
///     }
///     func read(
///         _ list: EventStoreList, after sequence: UInt64, maxBytes: Int, maxCount: Int
///     ) -> [EventStoreRecord] {
///         let records = lock.withLock { lists[list] ?? [] }.filter { $0.sequence > sequence }.prefix(maxCount)
///         var bytes = 0
///         return records.enumerated().prefix { index, record in
///             bytes += record.bytes.count
///             return index == 0 || bytes <= maxBytes
///         }.map(\.element)
///     }
///     func remove(from list: EventStoreList, through sequence: UInt64) {
///         lock.withLock { lists[list]?.removeAll { $0.sequence <= sequence } }
///     }
///     func summary(of list: EventStoreList) -> EventStoreSummary {
///         lock.withLock {
///             let records = lists[list] ?? []
///             let bytes = records.reduce(0) { $0 + $1.bytes.count }
///             return EventStoreSummary(count: records.count, bytes: bytes, last: records.last)
///         }
///     }
///     func value(forKey key: String) -> [UInt8]? { lock.withLock { values[key] } }
///     func setValue(_ value: [UInt8], forKey key: String) { lock.withLock { values[key] = value } }
/// }
/// ```
public protocol EventStore: AnyObject, Sendable {
    /// Adds a record at the end of a list. Its sequence is higher than all sequences before.
    func append(_ record: EventStoreRecord, to list: EventStoreList) throws
    /// Reads the records with higher sequences than the given one, lowest first: as many as fit into the bytes and the
    /// count, but at least one if there is one.
    func read(
        _ list: EventStoreList, after sequence: UInt64, maxBytes: Int, maxCount: Int
    ) throws -> [EventStoreRecord]
    /// Removes the records up to and including that sequence.
    func remove(from list: EventStoreList, through sequence: UInt64) throws
    /// The size of a list. The client calls this once when it begins, so it may take a moment.
    func summary(of list: EventStoreList) throws -> EventStoreSummary
    /// A value that was set before; nil when there is none.
    func value(forKey key: String) throws -> [UInt8]?
    /// Stores a value in place of the last value.
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
    /// Events that wait for the user's consent.
    case pending
}

/// A record of an event store: bytes of the client and their place.
public struct EventStoreRecord: Sendable, Equatable {
    /// The place among the records of its list.
    public let sequence: UInt64
    /// The event in the client's form. A store should not interpret it.
    public let bytes: [UInt8]

    /// A record of those bytes at that place.
    public init(sequence: UInt64, bytes: [UInt8]) {
        self.sequence = sequence
        self.bytes = bytes
    }
}

/// The size of a list of an event store.
public struct EventStoreSummary: Sendable, Equatable {
    /// The number of records.
    public var count: Int
    /// The bytes of all records.
    public var bytes: Int
    /// The record with the highest sequence; nil when there is none.
    public var last: EventStoreRecord?

    /// A summary with these values.
    public init(count: Int = 0, bytes: Int = 0, last: EventStoreRecord? = nil) {
        self.count = count
        self.bytes = bytes
        self.last = last
    }
}
