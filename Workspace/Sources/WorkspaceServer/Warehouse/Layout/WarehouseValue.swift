import TributaryJSON

/// A value of a column, with what it says about the type of the column.
struct WarehouseValue: Sendable, Equatable {
    enum Kind: Sendable {
        case boolean
        /// A whole number that a double holds exactly, and one that only 64 bits hold.
        case integer, longInteger
        case double
        /// A date with a time and a time zone, and one that not every database has.
        case time, farTime
        case text
    }

    let kind: Kind
    /// The value as text, without the character NUL.
    let text: String

    /// - Returns: nil for null and for objects without members.
    init?(_ json: JSON) {
        switch json {
        case .null: return nil
        case .bool(let value): self.init(kind: .boolean, text: value ? "true" : "false")
        case .number(let number): self = Self.number(number)
        case .string(let value): self.init(text: value)
        case .array: self.init(kind: .text, text: Self.withoutNull(json).description)
        case .object(let object):
            guard !object.isEmpty else { return nil }
            self.init(kind: .text, text: Self.withoutNull(json).description)
        }
    }

    init(text value: String) {
        let text = Self.withoutNull(value)
        self.init(kind: Self.kind(text), text: text)
    }

    init(kind: Kind, text: String) { (self.kind, self.text) = (kind, text) }

    /// PostgreSQL refuses the character NUL in texts. Another character shows that one was there.
    static func withoutNull(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return text.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "\u{fffd}")
    }

    static func withoutNull(_ json: JSON) -> JSON {
        switch json {
        case .string(let text): return .string(withoutNull(text))
        case .array(let elements): return .array(elements.map(withoutNull))
        case .object(let object):
            var clean = JSONObject()
            for (key, value) in object { clean[withoutNull(key)] = withoutNull(value) }
            return .object(clean)
        case .null, .bool, .number: return json
        }
    }

    /// Whole numbers beyond 64 bits and numbers beyond all doubles stay as they were written, as texts.
    private static func number(_ number: JSONNumber) -> WarehouseValue {
        if let whole = number.int64 {
            let isShort = Int64(exactly: Double(whole)) == whole
            return WarehouseValue(kind: isShort ? .integer : .longInteger, text: String(whole))
        }
        let text = number.description
        let isWhole = !text.utf8.contains { ".eE".utf8.contains($0) }
        return WarehouseValue(kind: isWhole || !number.double.isFinite ? .text : .double, text: text)
    }

    /// Dates of RFC 3339 with a `T` are times, in years and offsets that PostgreSQL knows.
    private static func kind(_ text: String) -> Kind {
        let bytes = text.utf8
        guard (20...40).contains(bytes.count), bytes.dropFirst(10).first == UInt8(ascii: "T"), !text.hasPrefix("0000"),
            let time = ISO8601.milliseconds(text)
        else { return .text }
        // The offset is behind the time, and has a sign unless it is a Z.
        let offset = text.dropFirst("2026-11-24T10".count).drop { $0 != "+" && $0 != "-" }
        guard offset.isEmpty || Int(offset.dropFirst().prefix(2)) ?? 99 < 15 else { return .text }
        return WarehouseTimes.near.contains(time) ? .time : .farTime
    }
}

/// The times that a column of a database holds.
enum WarehouseTimes: Sendable {
    case all
    /// Only times of the years 1900 to 2299.
    case from1900To2299

    /// Milliseconds since 1970.
    fileprivate static let near: ClosedRange<Int64> = -2_208_988_800_000...10_413_791_999_999

    /// The kind of a value for columns of the database.
    func kind(of value: WarehouseValue) -> WarehouseValue.Kind {
        guard value.kind == .farTime else { return value.kind }
        return self == .all ? .time : .text
    }
}
