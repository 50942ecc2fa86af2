public import TributaryJSON

/// Tables that go out with a bundle. Scripts read them with `tables.get(table, key)`, without a network.
///
/// ```swift
/// var tables = ScriptTables()
/// try tables.add(TableText.csv(Array("sku,category\nA-1,Shoes\n".utf8)), named: "sku")
/// let bundle = tables.bundle(of: "class Fix extends LivePlugin { }")
/// ```
public struct ScriptTables: Sendable, Hashable {
    /// The reason why tables cannot go out, or a text is no table.
    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// The reason, as a text for people.
        public let message: String
        /// The line of the text, counted from 1; nil when the fault has no line.
        public let line: Int?

        init(_ message: String, line: Int? = nil) { (self.message, self.line) = (message, line) }

        /// The reason with its line.
        public var description: String { line.map { "line \($0): \(message)" } ?? message }
    }

    /// The limits of all tables of a bundle.
    public enum Limits {
        /// Bytes of all tables together, as JSON. Each device fetches them with each version, and reads them at each start.
        public static let bytes = 256 * 1024
        /// The number of tables.
        public static let tables = 20
        /// The number of entries of all tables together.
        public static let entries = 20_000
        /// Bytes of the name of a table: letters, digits, `_` and `-`.
        public static let nameBytes = 64
        /// Bytes of a key.
        public static let keyBytes = 256
        /// Levels of lists and objects in a value.
        public static let depth = 4
        /// Columns of a table of text.
        public static let columns = 100
        /// Bytes of a file with a table. Spaces and quotes in it do not go out.
        public static let fileBytes = 4 * bytes
    }

    /// For each table its entries.
    private var tables = JSONObject()

    /// No tables.
    public init() {}

    /// Whether there is no table.
    public var isEmpty: Bool { tables.isEmpty }
    /// The names of the tables, in their order.
    public var names: [String] { tables.keys }

    /// The entries of a table by their keys; empty when there is no such table.
    public func entries(of table: String) -> JSONObject { tables[table]?.objectValue ?? JSONObject() }

    /// Bytes of a table as JSON.
    public func bytes(of table: String) -> Int { tables[table]?.encoded().count ?? 0 }

    /// Adds a table. It replaces a table of the same name.
    /// - Throws: `Fault` when the table is none, or all tables together exceed a limit. The tables then stay as they were.
    public mutating func add(_ entries: JSONObject, named name: String) throws(Fault) {
        guard Self.isName(name) else {
            throw Fault("the name of a table has 1 to \(Limits.nameBytes) letters, digits, _ and -")
        }
        for entry in entries {
            guard let objection = Self.objection(to: entry.key, entry.value) else { continue }
            throw Fault("table \(name): \(objection)")
        }
        var changed = self
        changed.tables[name] = .object(entries)
        try changed.checkSize()
        self = changed
    }

    /// Adds all tables of the others. They replace tables of the same names.
    /// - Throws: `Fault` when all tables together exceed a limit.
    public mutating func add(_ others: ScriptTables) throws(Fault) {
        var changed = self
        for (name, entries) in others.tables { changed.tables[name] = entries }
        try changed.checkSize()
        self = changed
    }

    private func checkSize() throws(Fault) {
        guard tables.count <= Limits.tables else { throw Fault("a bundle has at most \(Limits.tables) tables") }
        let entries = names.reduce(0) { $0 + self.entries(of: $1).count }
        guard entries <= Limits.entries else {
            throw Fault("the tables have \(entries) entries; together they have at most \(Limits.entries)")
        }
        let bytes = json.encoded().count
        guard bytes <= Limits.bytes else {
            throw Fault("the tables have \(bytes) bytes as JSON; together they have at most \(Limits.bytes)")
        }
    }

    /// All tables, as scripts get them.
    var json: JSON { .object(tables) }

    static func isName(_ text: String) -> Bool {
        (1...Limits.nameBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte &- UInt8(ascii: "0") < 10
                    || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            }
    }

    /// The reason why an entry cannot be in a table; nil when it can.
    static func objection(to key: String, _ value: JSON) -> String? {
        if key.isEmpty { return "the key is empty" }
        if key.utf8.count > Limits.keyBytes {
            return "the key has \(key.utf8.count) bytes; a key has at most \(Limits.keyBytes)"
        }
        return objection(to: value, levels: Limits.depth)
    }

    private static func objection(to value: JSON, levels: Int) -> String? {
        switch value {
        case .null, .bool, .string: return nil
        case .number(let number):
            return isExact(number) ? nil : "\(number) is a text in quotes; no script has this number"
        case .array(let elements): return objection(to: elements, levels: levels)
        case .object(let members): return objection(to: members.map(\.value), levels: levels)
        }
    }

    private static func objection(to parts: [JSON], levels: Int) -> String? {
        guard levels > 0 else { return "a value has at most \(Limits.depth) levels of lists and objects" }
        for part in parts {
            if let objection = objection(to: part, levels: levels - 1) { return objection }
        }
        return nil
    }

    /// Whether JavaScript has the number, and not only one near it. Fractions are near enough.
    private static func isExact(_ number: JSONNumber) -> Bool {
        let digits = "\(number)".utf8.drop { $0 == UInt8(ascii: "-") }
        guard digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return number.double.isFinite }
        return number.int64.map { $0.magnitude < 1 << 53 } ?? false
    }
}
