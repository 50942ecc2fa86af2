/// The rows of comma-separated values (RFC 4180), one after the other.
///
/// A cell in double quotes may have commas, ends of lines and doubled quotes. Empty lines are left out.
struct CSVRows {
    struct Row {
        let cells: [String]
        /// The line in which the row begins, counted from 1.
        let line: Int
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    /// - Parameter bytes: UTF-8.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next row; nil at the end.
    mutating func next() throws(ScriptTables.Fault) -> Row? {
        while position < bytes.count {
            if takeEnd() { continue }
            return try row()
        }
        return nil
    }

    private mutating func row() throws(ScriptTables.Fault) -> Row {
        let first = line
        var cells: [String] = []
        repeat { cells.append(try cell()) } while take(UInt8(ascii: ","))
        guard position == bytes.count || takeEnd() else {
            throw ScriptTables.Fault("there is text behind the quotes of a cell", line: line)
        }
        return Row(cells: cells, line: first)
    }

    private mutating func cell() throws(ScriptTables.Fault) -> String {
        if take(UInt8(ascii: "\"")) { return try quotedCell() }
        let start = position
        while position < bytes.count, !",\r\n".utf8.contains(bytes[position]) {
            guard bytes[position] != UInt8(ascii: "\"") else {
                throw ScriptTables.Fault(
                    "a cell with a quote in it stands in quotes, and its quotes are doubled", line: line)
            }
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// The rest of a cell behind its first quote.
    private mutating func quotedCell() throws(ScriptTables.Fault) -> String {
        let first = line
        var cell: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") {
                guard take(UInt8(ascii: "\"")) else { return String(decoding: cell, as: UTF8.self) }
            } else if byte == UInt8(ascii: "\n") {
                line += 1
            }
            cell.append(byte)
        }
        throw ScriptTables.Fault("a cell begins with a quote, and no quote ends it", line: first)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Takes the end of a line: LF, CR LF, or CR.
    private mutating func takeEnd() -> Bool {
        let hasReturn = take(UInt8(ascii: "\r"))
        guard take(UInt8(ascii: "\n")) || hasReturn else { return false }
        line += 1
        return true
    }
}
