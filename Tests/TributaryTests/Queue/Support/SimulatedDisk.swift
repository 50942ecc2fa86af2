import TestSupport
import TributaryJournal

@testable import Tributary

/// A log on a disk that refuses writes when it is told to, and at times by chance.
///
/// Unchecked because only one thread uses it.
final class SimulatedDisk: RecordLog, @unchecked Sendable {
    struct Refused: Error {}

    var records: [JournalRecord] = []
    var isRefusing = false
    /// The probability of a refusal.
    var weakness = 0.0
    private var random: SeededGenerator
    private(set) var head = JournalHead(
        epoch: 1, lastSequence: 0, watermark: 0, lastTag: nil, mark: [], owesPurge: false)
    private(set) var snapshot: [UInt8]?
    var drops = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    var count: Int { records.count }
    var byteCount: Int { records.reduce(0) { $0 + $1.payload.count } }

    private func mayRefuse() throws {
        if isRefusing || Double.random(in: 0..<1, using: &random) < weakness { throw Refused() }
    }

    func put(_ payload: [UInt8]?, tag: JournalTag?, snapshot: [UInt8]?) throws -> Journal.Appended {
        try mayRefuse()
        if let snapshot { self.snapshot = snapshot }
        if let payload {
            head.lastSequence += 1
            records.append(JournalRecord(sequence: head.lastSequence, tag: tag, payload: payload))
        }
        return Journal.Appended(sequence: head.lastSequence)
    }

    func putFirst(of group: inout JournalGroup) throws -> Journal.Appended {
        let appended = try put(group.first?.payload, tag: group.first?.tag, snapshot: nil)
        group.removeFirst(1)
        return appended
    }

    func reserve(through sequence: UInt64) throws {
        try mayRefuse()
        head.lastSequence = max(head.lastSequence, sequence)
    }

    func read(
        after sequence: UInt64, through last: UInt64, maxBytes: Int, maxCount: Int, from cursor: inout JournalCursor?
    ) -> [JournalRecord] {
        Array(records.filter { $0.sequence > sequence && $0.sequence <= last }.prefix(maxCount))
    }

    func removeThrough(_ sequence: UInt64, markData: [UInt8]?) {
        records.removeAll { $0.sequence <= sequence }
        head.watermark = max(head.watermark, min(sequence, head.lastSequence))
    }

    func purge(markData: [UInt8]?) { removeThrough(.max, markData: nil) }
    func count(after sequence: UInt64) -> Int { records.filter { $0.sequence > sequence }.count }
    func contains(_ sequence: UInt64) -> Bool { records.contains { $0.sequence == sequence } }
    func take(through sequence: UInt64) -> ClosedRange<UInt64>? { nil }
    func hold(through sequence: UInt64?) {}
    func takeDeleted() -> Int { 0 }
    func takeClaims() -> ReaderClaims { ReaderClaims() }
    func finish(_ appended: Journal.Appended) {}
    func finishPurge() {}
    func setBounds(_ bounds: JournalBounds) {}
    func prepare() {}
    func sync() {}
    func verify() {}
    func takeReports() -> [JournalReport] { [] }
    func close() {}
}
