import TributaryJSON
import WorkspaceCore

/// Events as a file of Parquet: the columns of CSV with types.
struct ParquetExport: ExportFormat {
    static let mediaType = "application/vnd.apache.parquet"
    var mediaType: String { Self.mediaType }
    let comesWhole = true
    private let columns: [EventColumn]
    private var file: ParquetFile

    /// The types of the members that the server lists; all others are texts unless the request names another type.
    private static let kinds: [String: ParquetFile.Column.Kind] = [
        "sequence": .int64, "timestamp": .timestamp, "originalTimestamp": .timestamp, "sentAt": .timestamp,
        "receivedAt": .timestamp, "storedAt": .timestamp, "event": .json,
    ]

    /// - Parameter columns: names with commas between them, each with a type behind a colon where it is not a text:
    ///   `name,properties.total:double`; nil for the usual ones.
    init(columns text: String?) throws(Refusal) {
        let names = text?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        var columns: [EventColumn] = []
        var types: [ParquetFile.Column] = []
        for name in names ?? EventColumn.usual {
            let (name, kind) = try Self.column(name)
            columns.append(EventColumn(name))
            types.append(ParquetFile.Column(name: name, kind: kind))
        }
        try EventColumn.check(types.map(\.name))
        guard Set(types.map(\.name)).count == types.count else { throw .invalid("a column is named twice") }
        (self.columns, file) = (columns, ParquetFile(columns: types))
    }

    private static func column(_ text: String) throws(Refusal) -> (String, ParquetFile.Column.Kind) {
        guard let colon = text.lastIndex(of: ":") else { return (text, kinds[text] ?? .string) }
        let type = String(text[text.index(after: colon)...])
        guard let kind = ParquetFile.Column.Kind(rawValue: type) else {
            let known = ParquetFile.Column.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("a column has no type \(type); it is one of \(known)")
        }
        return (String(text[..<colon]), kind)
    }

    mutating func begin() -> [UInt8] { file.begin() }

    mutating func row(_ event: [UInt8]) throws -> [UInt8] { try row(try JSON.parse(event)) }

    /// Takes one event, as `/api/events` lists it.
    mutating func row(_ event: JSON) throws -> [UInt8] {
        try file.append(
            zip(columns, file.columns).map { column, type in Self.value(column.value(event), as: type.kind) })
    }

    mutating func end() throws -> [UInt8] { try file.end() }

    /// A text column takes every value. Another one takes values of its type, and texts that are one.
    private static func value(_ value: JSON?, as kind: ParquetFile.Column.Kind) -> ParquetFile.Value? {
        guard let value, !value.isNull else { return nil }
        switch kind {
        case .string: return .bytes(value.stringValue.map { Array($0.utf8) } ?? value.encoded())
        case .json: return .bytes(value.encoded())
        case .int64: return (value.numberValue?.int64 ?? value.stringValue.flatMap { Int64($0) }).map { .int64($0) }
        case .double:
            let number = value.numberValue?.double ?? value.stringValue.flatMap { Double($0) }
            return number.flatMap { $0.isFinite ? .double($0) : nil }
        case .boolean: return value.boolValue.map { .boolean($0) }
        case .timestamp: return value.stringValue.flatMap { ISO8601.milliseconds($0) }.map { .int64($0) }
        }
    }
}
