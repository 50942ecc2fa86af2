/// A JSON number: an exact 64-bit integer, a finite double, or the spelling from a parsed text.
///
/// A number that was parsed keeps its spelling (`1.50`, `1e400`, a 40-digit integer) until code replaces it.
public struct JSONNumber: Sendable {
    enum Storage: Sendable {
        case signed(Int64)
        case unsigned(UInt64)
        case double(Double)
        /// A valid JSON number with a text that the cases above would not reproduce.
        case spelling(String)
    }

    let storage: Storage

    init(storage: Storage) { self.storage = storage }

    /// An integer, kept exactly.
    public init(_ value: Int) { storage = .signed(Int64(value)) }

    /// An integer, kept exactly, whatever its width.
    public init(_ value: some BinaryInteger) {
        if let signed = Int64(exactly: value) {
            storage = .signed(signed)
        } else if let unsigned = UInt64(exactly: value) {
            storage = .unsigned(unsigned)
        } else {
            storage = .spelling(String(value))
        }
    }

    /// A double, printed in its shortest form that reads back as the same double; nil when it is not finite.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        storage = .double(value)
    }

    /// The value, when it is a whole number that fits into 64 signed bits.
    public var int64: Int64? {
        switch storage {
        case .signed(let value): value
        case .unsigned: nil
        case .double(let value): value.magnitude < Self.exactBelow ? Int64(exactly: value) : decimal?.int64
        case .spelling(let text): DecimalValue(text)?.int64
        }
    }

    /// The value, when it is a whole number that fits into 64 unsigned bits.
    public var uint64: UInt64? {
        switch storage {
        case .signed(let value): UInt64(exactly: value)
        case .unsigned(let value): value
        case .double(let value): value.magnitude < Self.exactBelow ? UInt64(exactly: value) : decimal?.uint64
        case .spelling(let text): DecimalValue(text)?.uint64
        }
    }

    /// Doubles from 2^53 on are written with fewer digits than they have. The written number counts, so that the number
    /// stays the same through text.
    private static let exactBelow = 9_007_199_254_740_992.0
    private var decimal: DecimalValue? { DecimalValue(description) }

    /// The nearest double; infinite when the spelling is beyond what a double can hold.
    public var double: Double {
        switch storage {
        case .signed(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        case .spelling(let text): Self.double(spelled: text)
        }
    }

    private static func double(spelled text: String) -> Double {
        let short = text.utf8.withContiguousStorageIfAvailable { bytes in
            ShortDecimal.read(bytes, from: 0).flatMap { $0.end == bytes.count ? $0.value : nil }
        }
        return (short ?? nil) ?? Double(text) ?? .nan
    }
}

extension JSONNumber: Hashable {
    /// Whether the written numbers have the same value, digit for digit. `1`, `1.0` and `1e0` are the same number. Two
    /// integers of 40 digits are the same only when every digit is.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        switch (left.storage, right.storage) {
        case (.signed(let a), .signed(let b)): return a == b
        case (.unsigned(let a), .unsigned(let b)): return a == b
        case (.signed, .unsigned), (.unsigned, .signed): return false
        case (.double(let a), .double(let b)): return a == b
        case (.spelling(let a), .spelling(let b)) where a == b: return true
        default:
            guard let a = DecimalValue(left.description), let b = DecimalValue(right.description) else { return false }
            return a == b
        }
    }

    /// Numbers with the same value have the same nearest double.
    public func hash(into hasher: inout Hasher) { hasher.combine(double) }
}

extension JSONNumber {
    /// Whether both are written in the same way, which is more than being equal.
    package func isWritten(like other: JSONNumber) -> Bool {
        switch (storage, other.storage) {
        case (.signed(let a), .signed(let b)): a == b
        case (.unsigned(let a), .unsigned(let b)): a == b
        case (.spelling(let a), .spelling(let b)): a == b
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        default: description == other.description
        }
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The number as it is written in a JSON text.
    public var description: String {
        var bytes: [UInt8] = []
        write(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
