import TributaryJSON
import WorkspaceCore

/// Comma-separated values as RFC 4180 has them, with a first line of names.
struct CSVExport: ExportFormat {
    let mediaType = "text/csv; charset=utf-8; header=present"
    private let columns: [EventColumn]

    /// - Parameter columns: names with commas between them; nil for the usual ones.
    init(columns: String?) throws(Refusal) {
        let names = columns?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        try EventColumn.check(names ?? [])
        self.columns = (names ?? EventColumn.usual).map(EventColumn.init)
    }

    func begin() -> [UInt8] { Self.line(columns.map { Array($0.name.utf8) }) }

    func row(_ event: [UInt8]) throws -> [UInt8] {
        let event = try JSON.parse(event)
        return Self.line(columns.map { Self.text($0.value(event)) })
    }

    private static func text(_ value: JSON?) -> [UInt8] {
        guard let value, !value.isNull else { return [] }
        return value.stringValue.map { Array($0.utf8) } ?? value.encoded()
    }

    private static func line(_ fields: [[UInt8]]) -> [UInt8] { CSVText.line(fields) + Array("\r\n".utf8) }
}

/// Fields of comma-separated values.
package enum CSVText {
    /// The fields of a line, without its end.
    package static func line(_ fields: [[UInt8]]) -> [UInt8] {
        var line: [UInt8] = []
        for (index, field) in fields.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            append(field, to: &line)
        }
        return line
    }

    private static func append(_ field: [UInt8], to line: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        guard field.contains(where: { $0 == quote || $0 == UInt8(ascii: ",") || $0 < 0x20 }) else {
            line += field
            return
        }
        line.append(quote)
        for byte in field {
            if byte == quote { line.append(quote) }
            line.append(byte)
        }
        line.append(quote)
    }
}

extension Limits {
    /// Rows that an export reads at once; with the longest events they are some megabytes.
    static let exportRows = 200
    /// Columns that an export may have.
    static let exportColumns = 100
}
