import WorkspaceCore
import WorkspaceServer

/// How many events scripts made of the events of an announced range.
///
/// It is announced with the range, so the numbers of rows depend on the log and on this value, and not on what the scripts do
/// when the range is stored once more.
package struct MadeEvents: Sendable, Equatable, Hashable {
    package struct Cause: Sendable, Equatable, Hashable, Comparable {
        /// The record of the event, counted from the first one of the range.
        let record: Int
        /// The index of the event in its record.
        let event: Int

        package static func < (left: Cause, right: Cause) -> Bool {
            (left.record, left.event) < (right.record, right.event)
        }
    }

    /// Only events of which some were made.
    private(set) var counts: [Cause: Int]

    init(_ counts: [Cause: Int] = [:]) { self.counts = counts }

    /// The counts of the events of a record.
    func counts(of record: Int, events: Int) -> [Int] {
        (0..<events).map { counts[Cause(record: record, event: $0)] ?? 0 }
    }

    mutating func add(_ origins: ScriptedOrigins, of record: Int) {
        for origin in origins.events + origins.rejected where origin.made > 0 {
            let cause = Cause(record: record, event: origin.event)
            counts[cause] = max(counts[cause] ?? 0, origin.made)
        }
    }

    mutating func add(_ others: MadeEvents) { counts.merge(others.counts) { $1 } }

    var sum: Int { counts.values.reduce(0, +) }

    // MARK: Text

    /// The form in the record of a partition: `3.0x2 7.12x1` says that scripts made two events of the first event of the fourth
    /// record. Empty when they made none.
    package var text: String {
        counts.sorted { $0.key < $1.key }.map { "\($0.key.record).\($0.key.event)x\($0.value)" }.joined(separator: " ")
    }

    /// Nil for a text that is none.
    package init?(text: String) {
        counts = [:]
        for part in text.split(separator: " ") {
            let numbers = part.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "x" }.map { Int($0) }
            guard numbers.count == 3, let record = numbers[0], let event = numbers[1], let count = numbers[2],
                record >= 0, event >= 0, count > 0
            else { return nil }
            counts[Cause(record: record, event: event)] = count
        }
    }
}
