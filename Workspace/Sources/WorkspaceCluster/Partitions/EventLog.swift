import WorkspaceCore
import WorkspaceServer

/// A log of acknowledged records in partitions.
///
/// Records of a partition have the places 1, 2, 3 … without a gap. A record that was appended stays readable until it is
/// trimmed. Methods may be called from any task.
package protocol EventLog: Sendable {
    /// How many partitions there are, numbered from 0. It never changes.
    var partitions: Int { get }

    /// Appends a record; when this returns, the record is as safe as the log makes it.
    ///
    /// After an error the record may be there or not. It may then be appended again with the same id, and is stored once, as
    /// long as that happens within two minutes and the log was not restarted on a single machine.
    /// Nothing in a cluster relies on that: events are recognised by their own ids.
    /// - Parameter id: tells the record from all others.
    /// - Returns: its place.
    /// - Throws: `LogError`, after a bounded time.
    @discardableResult
    func append(_ record: [UInt8], id: String, to partition: Int) async throws -> UInt64

    /// Reads records in order, beginning at a place; none when the log has no record at that place yet.
    /// - Parameters:
    ///   - count: the most records to read, 1 or more.
    ///   - bytes: reading ends after the record with which the answer reaches so many bytes.
    /// - Throws: `LogError`: `trimmed` when the record was trimmed, `wentBack` when the log ends before the record in front
    ///   of that place. Nothing is skipped.
    func read(_ partition: Int, from place: UInt64, atMost count: Int, bytes: Int) async throws -> [LogRecord]

    /// The first and the last record of a partition.
    func standing(of partition: Int) async throws -> LogRange

    /// Removes the records up to a place. It may keep some of them.
    func trim(_ partition: Int, through place: UInt64) async throws

    func close() async
}

/// A record with its place.
package struct LogRecord: Sendable, Equatable {
    package let place: UInt64
    package let bytes: [UInt8]

    package init(place: UInt64, bytes: [UInt8]) { (self.place, self.bytes) = (place, bytes) }
}

/// The first and the last record of a partition, and its identity.
package struct LogRange: Sendable, Equatable {
    /// Differs between two partitions of the same name when the first was deleted and the second made later.
    package let incarnation: String
    /// The first record that the log still has; `last` + 1 when it has none.
    package let first: UInt64
    /// The last record that was ever appended; 0 when there was none.
    package let last: UInt64

    package init(incarnation: String, first: UInt64, last: UInt64) {
        (self.incarnation, self.first, self.last) = (incarnation, first, last)
    }
}

/// A failure of the log.
package enum LogError: EngineFailure, Sendable, Equatable {
    /// The log did not answer in time. It may still have carried out the request.
    case unavailable(String)
    /// The log refuses a record for good.
    case refused(String)
    /// The log has trimmed the records before a place.
    case trimmed(first: UInt64, asked: UInt64)
    /// The log ends before a record that was read or confirmed.
    case wentBack(last: UInt64, known: UInt64)
    /// The log gave an answer that contradicts itself or its protocol.
    case broken(String)
    /// A newer version of the server wrote something that this one cannot read.
    case newer(String)

    package var isPassing: Bool {
        if case .unavailable = self { true } else { false }
    }

    package var description: String {
        switch self {
        case .unavailable(let reason): "the log cannot be used now: \(reason)"
        case .refused(let reason): "the log refuses the record: \(reason)"
        case .trimmed(let first, let asked): "the log begins at \(first), and the record \(asked) was asked for"
        case .wentBack(let last, let known): "the log ends at \(last), and it had the record \(known): it went back"
        case .broken(let reason): "the log is broken: \(reason)"
        case .newer(let what): "a newer version of the server wrote \(what); upgrade this node"
        }
    }
}
