import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Makes the block of a range of the log. The same range makes the same bytes on every node.
struct PartitionBlock {
    let partition: Int
    let place: PartitionLease
    let range: PartitionLease.RecordRange
    private let batches: [IncomingBatch]
    /// The places of the rows of each record, and the outcome of scripts; nil for a range without scripts, where the rows are
    /// counted.
    private let scripted: [(slots: RowSlots, outcome: BlockScripts.Outcome)]?

    /// - Parameters:
    ///   - records: all records of the range.
    ///   - outcomes: the outcomes of scripts by the place of the record. Without one, a record is stored as it came.
    /// - Throws: `LogError.newer` when a newer version wrote a record.
    init(
        _ records: [LogRecord], of partition: Int, at place: PartitionLease, _ range: PartitionLease.RecordRange,
        outcomes: [UInt64: BlockScripts.Outcome] = [:]
    ) throws(LogError) {
        (self.partition, self.place, self.range) = (partition, place, range)
        guard let made = range.made else {
            scripted = nil
            batches = try records.map { record throws(LogError) in
                try Self.batch(record, of: partition, at: place, range.storedAt)
            }
            return
        }
        var scripted: [(slots: RowSlots, outcome: BlockScripts.Outcome)] = []
        for (index, record) in records.enumerated() {
            let outcome: BlockScripts.Outcome
            if let known = outcomes[record.place] {
                outcome = known
            } else {
                outcome = BlockScripts.Outcome(try Self.batch(record, of: partition, at: place, range.storedAt))
            }
            let slots = RowSlots(outcome, made: made.counts(of: index, events: outcome.events))
            scripted.append((slots, slots.bounded(outcome)))
        }
        (batches, self.scripted) = (scripted.map(\.outcome.batch), scripted)
    }

    /// The requests of records with scripts, as they came.
    static func requests(
        _ records: [LogRecord], of partition: Int, at place: PartitionLease, _ scripts: [Int64: WorkspaceScripts]
    ) throws(LogError) -> [BlockScripts.Request] {
        var requests: [BlockScripts.Request] = []
        for record in records {
            guard let source = ClusterRecord.source(of: record.bytes), let scripts = scripts[source] else { continue }
            let batch = try batch(record, of: partition, at: place, 0)
            // A record that cannot be read is of no source.
            guard batch.source == source, !batch.events.isEmpty else { continue }
            requests.append(BlockScripts.Request(place: record.place, batch: batch, scripts: scripts))
        }
        return requests
    }

    /// The rows that the store has to be asked about, and the days on which it may have them; nil when there are no
    /// such rows.
    func old(_ index: PartitionIndex) -> (identities: [RowIdentity], days: ClosedRange<Day>)? {
        let old = batches.map { index.old(in: $0) }
        let times = zip(old, batches).filter { !$0.0.isEmpty }.map { (index.earliest(in: $1), $1.receivedAt) }
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
        for (position, batch) in batches.enumerated() {
            let plan = try WritePlan(
                [batch], of: [:], identity: identity, numbers: RowNumbers(stream: last, rejected: last),
                storedAt: range.storedAt, looksForTraces: false
            ) { index.known($0, of: batch, besides: [new, stored]) }
            let numbers = numbers(of: plan.block.rows, ofRecord: position, behind: last)
            last += Int64(scripted?[position].slots.count ?? plan.block.rows.count)
            for (row, number) in zip(plan.block.rows, numbers) {
                guard check?.refuses(row) != true else {
                    refused += 1
                    continue
                }
                block.rows.append(row.numbered(ClusterNumber.number(number, of: partition)))
                new[row.identity] = MessageLocation(day: row.day, receivedAt: row.receivedAt)
            }
        }
        return (block, new, refused)
    }

    private func numbers(of rows: [EventBlock.Row], ofRecord position: Int, behind last: Int64) -> [Int64] {
        guard let (slots, outcome) = scripted?[position] else { return rows.map(\.number) }
        let places = slots.places(outcome)
        var trace = places.firstTrace
        return rows.map { row in
            let place: Int
            if row.identity.kind == .trace {
                place = trace
                trace += 1
            } else {
                place = places.byIdentity[row.identity] ?? 0
            }
            return last + 1 + Int64(place)
        }
    }

    /// The epoch for the ids of events and of blocks. It contains the partition as well.
    private static func epoch(_ partition: Int, _ place: PartitionLease) -> UInt64 {
        UInt64(partition) << 32 | place.epoch
    }

    /// The events of a record.
    /// - Parameter time: that of a record that cannot be read.
    private static func batch(
        _ record: LogRecord, of partition: Int, at lease: PartitionLease, _ time: Int64
    ) throws(LogError) -> IncomingBatch {
        try batch(record, JournalOffset(epoch: epoch(partition, lease), sequence: record.place), time)
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
