/// The names of a journal's files.
enum FileName {
    static let lock = "lock"
    static let mark = "mark"
    static let newMark = "mark.new"

    /// The name of the segment with that first sequence: 16 hexadecimal digits and the suffix.
    static func segment(_ first: UInt64) -> String { hexadecimal(first) + ending }

    /// The first sequence in the name of a segment; nil for other names.
    static func first(of name: String) -> UInt64? {
        name.hasSuffix(ending) ? sequence(name.dropLast(ending.count)) : nil
    }

    /// The name of a mark that could not be rewritten when records up to that sequence were purged.
    static func mark(through sequence: UInt64) -> String { markPrefix + hexadecimal(sequence) }

    /// The sequence in the name of such a mark; nil for other names.
    static func markedSequence(of name: String) -> UInt64? {
        guard name.hasPrefix(markPrefix), let sequence = sequence(name.dropFirst(markPrefix.count)) else { return nil }
        return sequence <= JournalLimits.sequence ? sequence : nil
    }

    private static func hexadecimal(_ sequence: UInt64) -> String {
        let digits = String(sequence, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func sequence(_ digits: Substring) -> UInt64? {
        guard digits.utf8.count == 16,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return UInt64(digits, radix: 16)
    }

    /// The name of a spare file, which will become a segment.
    static func spare(_ number: UInt64) -> String { sparePrefix + String(number) + ending }

    /// The number of a spare file; nil for other names.
    static func spareNumber(of name: String) -> UInt64? {
        guard name.hasPrefix(sparePrefix), name.hasSuffix(ending) else { return nil }
        let digits = name.dropFirst(sparePrefix.count).dropLast(ending.count)
        guard let number = UInt64(digits), number < 1 << 32, spare(number) == name else { return nil }
        return number
    }

    private static let ending = ".tjl"
    private static let sparePrefix = "spare-"
    private static let markPrefix = "mark-"
}
