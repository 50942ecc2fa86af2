/// A change of the settings, or a part of one that is too large for a record of the log.
struct ChangePart: Sendable, Equatable {
    /// Which part it is, from 0.
    let index: Int
    /// How many parts the change has.
    let count: Int
    let bytes: [UInt8]

    static let mostParts = 65_535

    /// Cuts a change into parts.
    static func parts(of change: [UInt8], size: Int) -> [ChangePart] {
        let count = max(1, (change.count + size - 1) / size)
        return (0..<count).map { index in
            let part = change[(index * size)..<min(change.count, (index + 1) * size)]
            return ChangePart(index: index, count: count, bytes: Array(part))
        }
    }
}

/// Puts parts of changes together, as they come out of the log.
///
/// A change counts only when its parts follow each other. A node that ends between two parts leaves some that nobody applies,
/// and every node decides so by the log alone.
struct ChangeAssembly: Sendable {
    /// The place of the last record that was read.
    private(set) var place: UInt64
    private var parts: [ChangePart] = []

    init(through place: UInt64) { self.place = place }

    /// Takes the record behind the last one.
    /// - Returns: a change that is whole now.
    mutating func take(_ part: ChangePart) -> [UInt8]? {
        place += 1
        if part.index != parts.count || part.count != parts.first?.count { parts = [] }
        guard part.index == parts.count else { return nil }
        parts.append(part)
        guard parts.count == part.count else { return nil }
        defer { parts = [] }
        return parts.flatMap(\.bytes)
    }
}
