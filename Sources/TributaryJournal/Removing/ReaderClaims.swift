/// The reasons why a record leaves a log other than by its reader.
package enum Departure: Sendable, Hashable {
    /// There was no room for it.
    case dropped
    /// A purge deleted it.
    case deleted
    /// Its file is gone.
    case missing
}

/// The records that a reader has taken of a log and uses now, so that each record that leaves the log counts once.
///
/// A record that the reader has taken is the reader's: it says what becomes of it. A record that leaves the log before is a
/// loss. While the reader uses the record, for instance in a request, the loss is open: the record may still arrive. Then the
/// reader takes it. When the use ends without that, the loss counts.
package struct ReaderClaims: Sendable, Equatable {
    /// Records that left the log.
    package typealias Losses = [Departure: Int]

    /// Records in use that left the log.
    private struct Open: Sendable, Equatable {
        let first: UInt64
        let last: UInt64
        let departure: Departure
    }

    /// The reader has taken the records up to this one.
    package private(set) var taken: UInt64 = 0
    /// The reader uses the records up to this one that it has not taken; 0 for none.
    package private(set) var held: UInt64 = 0
    private var open: [Open] = []

    package init() {}

    /// The reader takes the records up to a sequence.
    package mutating func take(through sequence: UInt64) {
        taken = max(taken, sequence)
        guard !open.isEmpty else { return }
        open = open.compactMap { Self.rest(of: $0, after: sequence) }
    }

    /// The reader uses the records up to a sequence, 0 for none. It no longer uses earlier records.
    /// - Returns: the losses that count now.
    package mutating func hold(through sequence: UInt64) -> Losses {
        held = sequence
        guard !open.isEmpty else { return [:] }
        defer { open = [] }
        return open.reduce(into: Losses()) { $0[$1.departure, default: 0] += Self.count($1.first, $1.last) }
    }

    /// Records leave the log, all from one sequence to another.
    /// - Returns: how many of them are losses now.
    package mutating func leave(from first: UInt64, through last: UInt64, _ departure: Departure) -> Int {
        let first = max(first, taken + 1)
        guard first <= last else { return 0 }
        let inUse = min(last, held)
        if first <= inUse { open.append(Open(first: first, last: inUse, departure: departure)) }
        return Self.count(max(first, held + 1), last)
    }

    /// Takes over the open losses of another log with the same sequences, which is used no more.
    package mutating func takeOver(_ other: ReaderClaims) {
        open += other.open.compactMap { Self.rest(of: $0, after: taken) }
    }

    private static func count(_ first: UInt64, _ last: UInt64) -> Int {
        first <= last ? Int(clamping: last - first + 1) : 0
    }

    private static func rest(of open: Open, after sequence: UInt64) -> Open? {
        let first = max(open.first, sequence + 1)
        return first <= open.last ? Open(first: first, last: open.last, departure: open.departure) : nil
    }
}
