import Foundation
public import TributaryJSON

/// Reads a table from the text of a file. Every fault names its line.
public enum TableText {
    /// Reads comma-separated values. The first line names the columns, and the first column has the keys. The value of a key is an
    /// object with the other columns; all of them are texts, so that "007" stays what it is.
    /// - Throws: `ScriptTables.Fault`.
    public static func csv(_ bytes: [UInt8]) throws(ScriptTables.Fault) -> JSONObject {
        var rows = CSVRows(try text(bytes))
        guard let head = try rows.next() else {
            throw ScriptTables.Fault("the file is empty; its first line names the columns", line: 1)
        }
        try check(columns: head)
        var entries = JSONObject()
        var lines: [[UInt8]: Int] = [:]
        while let row = try rows.next() {
            guard row.cells.count == head.cells.count else {
                throw ScriptTables.Fault(
                    "there are \(row.cells.count) cells, and the first line names \(head.cells.count) columns",
                    line: row.line)
            }
            var value = JSONObject()
            for (column, cell) in zip(head.cells, row.cells).dropFirst() { value[column] = .string(cell) }
            try add(row.cells[0], .object(value), line: row.line, to: &entries, &lines)
        }
        return entries
    }

    /// Reads a JSON object. Its members are the entries, and their values are what scripts get.
    /// - Throws: `ScriptTables.Fault`.
    public static func json(_ bytes: [UInt8]) throws(ScriptTables.Fault) -> JSONObject {
        let bytes = try text(bytes)
        let table: JSON
        do {
            table = try JSON.parse(
                bytes, limits: JSONLimits(depth: ScriptTables.Limits.depth + 1, bytes: ScriptTables.Limits.fileBytes))
        } catch {
            throw ScriptTables.Fault(error.detail, line: error.place?.line)
        }
        guard let object = table.objectValue else {
            throw ScriptTables.Fault("a table is an object, such as {\"A-1\": {\"category\": \"Shoes\"}}", line: 1)
        }
        var entries = JSONObject()
        var lines: [[UInt8]: Int] = [:]
        for key in TableKeys.all(in: bytes) {
            try add(key.name, object[key.name] ?? .null, line: key.line, to: &entries, &lines)
        }
        return entries
    }

    private static func add(
        _ key: String, _ value: JSON, line: Int, to entries: inout JSONObject, _ lines: inout [[UInt8]: Int]
    ) throws(ScriptTables.Fault) {
        if let objection = ScriptTables.objection(to: key, value) { throw ScriptTables.Fault(objection, line: line) }
        // Not by the text: two texts of other bytes may be equal in Swift, and are two keys in JavaScript.
        let name = Array(key.utf8)
        if let first = lines[name] {
            throw ScriptTables.Fault("the key \(shown(key)) is there twice, first in line \(first)", line: line)
        }
        guard entries.count < ScriptTables.Limits.entries else {
            throw ScriptTables.Fault("a table has at most \(ScriptTables.Limits.entries) entries", line: line)
        }
        lines[name] = line
        entries[key] = value
    }

    private static func check(columns head: CSVRows.Row) throws(ScriptTables.Fault) {
        let fault = { (message: String) in ScriptTables.Fault(message, line: head.line) }
        if head.cells.count == 1, let other = head.cells[0].first(where: { ";\t".contains($0) }) {
            throw fault("the cells are separated by \(other == ";" ? "semicolons" : "tabs"), and not by commas")
        }
        guard head.cells.count <= ScriptTables.Limits.columns else {
            throw fault("a table has at most \(ScriptTables.Limits.columns) columns")
        }
        var seen: Set<[UInt8]> = []
        for column in head.cells {
            if column.isEmpty { throw fault("a column has no name") }
            if column.trimmingCharacters(in: .whitespaces) != column {
                throw fault("the name of the column \(shown(column)) begins or ends with a space")
            }
            if column.utf8.count > ScriptTables.Limits.keyBytes {
                throw fault("the name of a column has at most \(ScriptTables.Limits.keyBytes) bytes")
            }
            if !seen.insert(Array(column.utf8)).inserted { throw fault("two columns have the name \(shown(column))") }
        }
    }

    /// The text without a byte order mark, when it is not too long and UTF-8.
    private static func text(_ bytes: [UInt8]) throws(ScriptTables.Fault) -> [UInt8] {
        guard bytes.count <= ScriptTables.Limits.fileBytes else {
            throw ScriptTables.Fault(
                "the file has \(bytes.count) bytes; a file with a table has at most \(ScriptTables.Limits.fileBytes)")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        guard !isUTF8(bytes[...]) else { return bytes }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.firstIndex { !isUTF8($0) }.map { $0 + 1 }
        throw ScriptTables.Fault("the text is not UTF-8", line: line)
    }

    private static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }

    /// A key in a message: short, and without characters that a terminal would obey.
    private static func shown(_ key: String) -> String {
        JSON.string(key.count > 40 ? key.prefix(40) + "…" : key).description
    }
}
