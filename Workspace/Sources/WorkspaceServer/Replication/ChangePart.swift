/// A change of the settings or a snapshot of them, or a part of one that is too large for a record of the log.
struct ChangePart: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// What a transaction changed.
        case change
        /// All settings as they are in front of it.
        case snapshot
    }

    var kind = Kind.change
    /// Which part it is, from 0.
    let index: Int
    /// How many parts the change has.
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

/// Puts parts of changes together, as they come out of the log.
///
/// A change counts only when its parts follow each other. A node that ends between two parts leaves some that nobody applies,
/// and every node decides so by the log alone.
struct ChangeAssembly: Sendable {
    /// Something whose parts are all there.
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

    /// Takes the record behind the last one.
    /// - Returns: what is whole now.
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
