/// The lines in which two texts differ.
struct LineDifference {
    /// A line that both texts have, or only one of them.
    private enum Line {
        case both(String)
        case removed(String)
        case added(String)
    }

    /// Lines that are compared one by one. A difference of more lines counts as replaced.
    private static let mostCompared = 3_000
    /// Equal lines that are shown around a difference.
    private static let context = 3

    private let lines: [Line]

    init(_ before: String, _ after: String) {
        let (before, after) = (Self.lines(of: before), Self.lines(of: after))
        let start = zip(before, after).prefix { $0 == $1 }.count
        let end = zip(before.dropFirst(start).reversed(), after.dropFirst(start).reversed()).prefix { $0 == $1 }.count
        let (old, new) = (Array(before.dropFirst(start).dropLast(end)), Array(after.dropFirst(start).dropLast(end)))
        lines =
            before.prefix(start).map(Line.both) + Self.between(old, new)
            + before.suffix(end).map(Line.both)
    }

    /// How many lines only one of the texts has.
    var count: Int {
        lines.reduce(0) { count, line in if case .both = line { count } else { count + 1 } }
    }

    /// The differences with some lines around them; nothing for equal texts.
    func text(_ style: OutputStyle) -> [String] {
        let changed = lines.indices.filter { if case .both = lines[$0] { false } else { true } }
        var shown: Set<Int> = []
        for position in changed {
            shown.formUnion(max(0, position - Self.context)...min(lines.count - 1, position + Self.context))
        }
        var texts: [String] = []
        var last = -1
        for position in shown.sorted() {
            if position > last + 1 { texts.append(style.faint("…")) }
            last = position
            switch lines[position] {
            case .both(let line): texts.append("  " + line.printable)
            case .removed(let line): texts.append(style.bad("- " + line.printable))
            case .added(let line): texts.append(style.good("+ " + line.printable))
            }
        }
        return texts
    }

    private static func lines(of text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // The empty text after the last end of a line is not a line.
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    private static func between(_ old: [String], _ new: [String]) -> [Line] {
        guard old.count + new.count <= mostCompared else { return old.map(Line.removed) + new.map(Line.added) }
        let difference = new.difference(from: old)
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var lines: [Line] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if left < old.count, removed.contains(left) {
                lines.append(.removed(old[left]))
                left += 1
            } else if right < new.count, added.contains(right) {
                lines.append(.added(new[right]))
                right += 1
            } else {
                lines.append(.both(new[right]))
                left += 1
                right += 1
            }
        }
        return lines
    }
}
