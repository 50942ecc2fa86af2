import WorkspaceCore

/// A file in the format Parquet: a table with typed columns, in which each value may be missing.
///
/// Rows are gathered in groups. A group is written when it has some megabytes, so a file of any length takes the memory
/// of one group. It uses the parts of the format that every reader knows: plain values, pages of version 1, gzip.
/// Source: the specification of Apache Parquet (apache/parquet-format).
struct ParquetFile {
    /// A column, which has the name that a reader sees.
    struct Column: Sendable, Equatable {
        enum Kind: String, Sendable, CaseIterable {
            case string, json, int64, double, boolean
            /// Milliseconds since 1970 in UTC.
            case timestamp
        }

        let name: String
        let kind: Kind
    }

    enum Value: Sendable, Equatable {
        case bytes([UInt8])
        case int64(Int64)
        case double(Double)
        case boolean(Bool)
    }

    private struct Chunk {
        let offset: Int64
        let values: Int64
        let bytes: Int64
        let compressed: Int64
    }

    private struct Group {
        let chunks: [Chunk]
        let rows: Int64
    }

    private static let magic = Array("PAR1".utf8)
    private static let gzip: Int32 = 2
    /// The plain encoding of values, and the encoding of the list of missing values.
    private static let encodings: [Int32] = [0, 3]

    let columns: [Column]
    private var pages: [ParquetPage]
    private var groups: [Group] = []
    private var rows = 0
    /// Bytes that were returned so far.
    private var length: Int64 = 0

    /// - Parameter columns: at least one; their names differ.
    init(columns: [Column]) {
        self.columns = columns
        pages = columns.map { ParquetPage($0.kind) }
    }

    /// The first bytes of the file.
    mutating func begin() -> [UInt8] {
        length = Int64(Self.magic.count)
        return Self.magic
    }

    /// Takes a row.
    /// - Parameter row: a value for each column; nil is a missing one. A value of another type than its column is missing.
    /// - Returns: the next bytes of the file; mostly none.
    mutating func append(_ row: [Value?]) throws -> [UInt8] {
        var size = 0
        for index in columns.indices {
            pages[index].append(row[index])
            size += pages[index].size
        }
        rows += 1
        return rows >= Limits.parquetRows || size >= Limits.parquetGroupBytes ? try group() : []
    }

    /// - Returns: the last bytes of the file.
    mutating func end() throws -> [UInt8] {
        var bytes = rows > 0 ? try group() : []
        let footer = footer
        bytes += footer
        withUnsafeBytes(of: UInt32(footer.count).littleEndian) { bytes += $0 }
        return bytes + Self.magic
    }

    private mutating func group() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunks: [Chunk] = []
        for index in pages.indices {
            let (content, count) = (pages[index].content, pages[index].count)
            let text = try GzipText()
            try text.append(content)
            let compressed = try text.finished()
            let head = Self.head(of: content.count, compressed.count, values: count)
            chunks.append(
                Chunk(
                    offset: length, values: Int64(count), bytes: Int64(head.count + content.count),
                    compressed: Int64(head.count + compressed.count)))
            bytes += head
            bytes += compressed
            length += Int64(head.count + compressed.count)
            pages[index] = ParquetPage(columns[index].kind)
        }
        groups.append(Group(chunks: chunks, rows: Int64(rows)))
        rows = 0
        return bytes
    }

    private static func head(of bytes: Int, _ compressed: Int, values: Int) -> [UInt8] {
        var head = ThriftWriter()
        head.field(1, Int32(0))
        head.field(2, Int32(bytes))
        head.field(3, Int32(compressed))
        head.field(5) { page in
            page.field(1, Int32(values))
            page.field(2, encodings[0])
            page.field(3, encodings[1])
            page.field(4, encodings[1])
        }
        head.end()
        return head.bytes
    }

    private var footer: [UInt8] {
        var footer = ThriftWriter()
        footer.field(1, Int32(1))
        footer.field(2, structures: [nil] + columns.map(Optional.some)) { element, column in
            guard let column else {
                element.field(4, "events")
                return element.field(5, Int32(columns.count))
            }
            column.describe(&element)
        }
        footer.field(3, groups.reduce(0) { $0 + $1.rows })
        footer.field(4, structures: groups) { group, content in
            group.field(1, structures: Array(zip(columns, content.chunks))) { chunk, part in
                chunk.field(2, part.1.offset)
                chunk.field(3) { Self.describe(part.1, of: part.0, &$0) }
            }
            group.field(2, content.chunks.reduce(0) { $0 + $1.bytes })
            group.field(3, content.rows)
        }
        footer.field(6, "tributary")
        footer.end()
        return footer.bytes
    }

    private static func describe(_ chunk: Chunk, of column: Column, _ data: inout ThriftWriter) {
        data.field(1, column.kind.physical)
        data.field(2, encodings)
        data.field(3, [column.name])
        data.field(4, gzip)
        data.field(5, chunk.values)
        data.field(6, chunk.bytes)
        data.field(7, chunk.compressed)
        data.field(9, chunk.offset)
    }
}

extension ParquetFile.Column {
    fileprivate func describe(_ element: inout ThriftWriter) {
        element.field(1, kind.physical)
        // A value may be missing.
        element.field(3, Int32(1))
        element.field(4, name)
        switch kind {
        case .string:
            element.field(6, Int32(0))
            element.field(10) { $0.field(1) { _ in } }
        case .json:
            element.field(6, Int32(19))
            element.field(10) { $0.field(12) { _ in } }
        case .timestamp:
            element.field(6, Int32(9))
            element.field(10) { type in
                type.field(8) { time in
                    time.field(1, true)
                    time.field(2) { $0.field(1) { _ in } }
                }
            }
        case .int64, .double, .boolean: break
        }
    }
}

extension ParquetFile.Column.Kind {
    /// The type of the bytes.
    fileprivate var physical: Int32 {
        switch self {
        case .boolean: 0
        case .int64, .timestamp: 2
        case .double: 5
        case .string, .json: 6
        }
    }
}

/// The values of a column of one group.
private struct ParquetPage {
    private let kind: ParquetFile.Column.Kind
    private var values: [UInt8] = []
    /// Which rows have a value, and the values of a column of booleans; eight in a byte, the first one lowest.
    private var present = Bits()
    private var booleans = Bits()

    private struct Bits {
        var bytes: [UInt8] = []
        var count = 0
        var set = 0

        mutating func append(_ bit: Bool) {
            if count.isMultiple(of: 8) { bytes.append(0) }
            if bit {
                bytes[bytes.count - 1] |= 1 << UInt8(count & 7)
                set += 1
            }
            count += 1
        }
    }

    init(_ kind: ParquetFile.Column.Kind) { self.kind = kind }

    var count: Int { present.count }
    var size: Int { values.count + present.bytes.count + booleans.bytes.count }

    mutating func append(_ value: ParquetFile.Value?) {
        switch (kind, value) {
        case (.string, .bytes(let bytes)?), (.json, .bytes(let bytes)?):
            withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { values += $0 }
            values += bytes
        case (.int64, .int64(let number)?), (.timestamp, .int64(let number)?):
            withUnsafeBytes(of: number.littleEndian) { values += $0 }
        case (.double, .double(let number)?): withUnsafeBytes(of: number.bitPattern.littleEndian) { values += $0 }
        case (.boolean, .boolean(let flag)?): booleans.append(flag)
        default: return present.append(false)
        }
        present.append(true)
    }

    /// The page without its head: which values there are, then these.
    var content: [UInt8] {
        var levels: [UInt8] = []
        if present.set == 0 || present.set == present.count {
            // One run of equal levels.
            ThriftWriter.append(variable: UInt64(present.count) << 1, to: &levels)
            levels.append(present.set == 0 ? 0 : 1)
        } else {
            ThriftWriter.append(variable: UInt64(present.bytes.count) << 1 | 1, to: &levels)
            levels += present.bytes
        }
        var content: [UInt8] = []
        withUnsafeBytes(of: UInt32(levels.count).littleEndian) { content += $0 }
        return content + levels + (kind == .boolean ? booleans.bytes : values)
    }
}

extension Limits {
    /// Rows of a group of a file of Parquet, and its bytes before compression.
    static let parquetRows = 50_000
    static let parquetGroupBytes = 16 << 20
}
