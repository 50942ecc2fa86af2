import WorkspaceCore
import WorkspaceServer

/// A change of the settings or a snapshot of them, or a part of one that is too large for a record of the log.
struct ChangePart: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// The changes of a transaction.
        case change
        /// All settings as they are before this record.
        case snapshot
    }

    var kind = Kind.change
    /// The position of the part, from 0.
    let index: Int
    /// The number of parts of the change.
    let count: Int
    let bytes: [UInt8]

    static let mostParts = 65_535

    /// Cuts a change into parts.
    static func parts(of change: [UInt8], size: Int, kind: Kind = .change) -> [ChangePart] {
        let count = max(1, (change.count + size - 1) / size)
        return (0..<count).map { index in
            let part = change[(index * size)..<min(change.count, (index + 1) * size)]
            return ChangePart(kind: kind, index: index, count: count, bytes: Array(part))
        }
    }
}

/// Puts the parts of changes together, in the order of the log.
///
/// A change counts only when its parts follow each other. When a node ends between two parts, no node applies the parts
/// that it left. Every node decides that from the log alone.
struct ChangeAssembly: Sendable {
    /// A change or a snapshot with all of its parts.
    struct Whole: Sendable, Equatable {
        let kind: ChangePart.Kind
        /// The place of its first part.
        let first: UInt64
        let bytes: [UInt8]
    }

    /// The place of the last record that was read.
    private(set) var place: UInt64
    private var parts: [ChangePart] = []

    init(through place: UInt64) { self.place = place }

    /// Takes the next record.
    /// - Returns: the change or snapshot that this part completes; nil when parts are missing.
    mutating func take(_ part: ChangePart) -> Whole? {
        place += 1
        if part.index != parts.count || part.count != parts.first?.count || part.kind != parts.first?.kind {
            parts = []
        }
        guard part.index == parts.count else { return nil }
        parts.append(part)
        guard parts.count == part.count else { return nil }
        defer { parts = [] }
        return Whole(kind: part.kind, first: place - UInt64(part.count - 1), bytes: parts.flatMap(\.bytes))
    }
}
