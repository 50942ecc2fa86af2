import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Makes the block of a range of the log. The same range makes the same bytes on every node.
struct PartitionBlock {
    let partition: Int
    let place: PartitionLease
    let range: PartitionLease.RecordRange
    private let batches: [(place: UInt64, batch: IncomingBatch)]

    /// - Parameter records: all records of the range.
    /// - Throws: `LogError.newer` when a newer version wrote a record.
    init(
        _ records: [LogRecord], of partition: Int, at place: PartitionLease, _ range: PartitionLease.RecordRange
    ) throws(LogError) {
        (self.partition, self.place, self.range) = (partition, place, range)
        let epoch = Self.epoch(partition, place)
        batches = try records.map { record throws(LogError) in
            let place = JournalOffset(epoch: epoch, sequence: record.place)
            return (record.place, try Self.batch(record, place, range.storedAt))
        }
    }

    /// The rows that the store has to be asked about, and the days on which it may have them; nil when there are no
    /// such rows.
    func old(_ index: PartitionIndex) -> (identities: [RowIdentity], days: ClosedRange<Day>)? {
        let old = batches.map { index.old(in: $0.batch) }
        let times = zip(old, batches).filter { !$0.0.isEmpty }.map {
            (index.earliest(in: $1.batch), $1.batch.receivedAt)
        }
        guard let first = times.map(\.0).min(), let last = times.map(\.1).max(), first <= last else { return nil }
        return (Array(Set(old.joined())), Day(milliseconds: first)...Day(milliseconds: last))
    }

    /// The block, and its rows that the index does not have yet.
    ///
    /// A row that must not be stored keeps its number. So when the range is stored once more, after the list of suppressions has
    /// changed, all other rows have the numbers that they had.
    /// - Parameters:
    ///   - stored: the old rows that the store has before the range.
    ///   - suppressions: the users and devices for which nothing may be stored.
    /// - Throws: `LogError.broken` for a record beyond the bounds of row numbers.
    func made(
        _ index: PartitionIndex, stored: [RowIdentity: MessageLocation],
        suppressions: SuppressionList = SuppressionList()
    ) throws -> (block: EventBlock, new: [RowIdentity: MessageLocation], refused: Int) {
        var refused = 0
        var check = suppressions.isEmpty ? nil : SuppressionCheck(suppressions)
        var new: [RowIdentity: MessageLocation] = [:]
        let identity = EventBlock.Identity(
            epoch: Self.epoch(partition, place), after: place.through, through: range.to)
        var block = EventBlock(identity: identity, storedAt: range.storedAt)
        var last = try ClusterNumber.ordinal(ofBlockAt: range.storedAt) - 1
        for (_, batch) in batches {
            let plan = try WritePlan(
                [batch], of: [:], identity: identity, numbers: RowNumbers(stream: last, rejected: last),
                storedAt: range.storedAt, looksForTraces: false
            ) { index.known($0, of: batch, besides: [new, stored]) }
            last += Int64(plan.block.rows.count)
            for row in plan.block.rows {
                guard check?.refuses(row) != true else {
                    refused += 1
                    continue
                }
                block.rows.append(row.numbered(ClusterNumber.number(row.number, of: partition)))
                new[row.identity] = MessageLocation(day: row.day, receivedAt: row.receivedAt)
            }
        }
        return (block, new, refused)
    }

    /// The epoch for the ids of events and of blocks. It contains the partition as well.
    private static func epoch(_ partition: Int, _ place: PartitionLease) -> UInt64 {
        UInt64(partition) << 32 | place.epoch
    }

    /// A record that cannot be read becomes a rejected event. So it does not hold up the others, and it is not lost.
    private static func batch(
        _ record: LogRecord, _ place: JournalOffset, _ time: Int64
    ) throws(LogError) -> IncomingBatch {
        guard let request = try ClusterRecord(record.bytes).request else {
            return unreadable(record, place, time, "it is of no known form")
        }
        do throws(Refusal) {
            return try RequestIndexing.batch(request, at: place)
        } catch {
            return unreadable(record, place, time, error.message)
        }
    }

    private static func unreadable(
        _ record: LogRecord, _ place: JournalOffset, _ time: Int64, _ reason: String
    ) -> IncomingBatch {
        let text = JSON.string(Data(record.bytes).base64EncodedString()).encoded()
        let rejection = Rejection(.notAnObject, "a record of the log cannot be read: \(reason)")
        var batch = IncomingBatch(source: 0, receivedAt: time)
        batch.rejected = [
            RejectedEvent(index: 0, messageId: nil, madeId: place.messageId(0), rejection: rejection, body: text)
        ]
        return batch
    }
}
