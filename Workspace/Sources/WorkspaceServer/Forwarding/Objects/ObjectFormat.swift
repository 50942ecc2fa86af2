import TributaryJSON
import WorkspaceCore

/// What the objects of a store hold.
enum ObjectFormat: Sendable, Equatable {
    /// JSON, a line for each event, compressed.
    case ndjson
    /// A file of Parquet with these columns, as the export names them; nil for the usual ones.
    case parquet(columns: String?)

    /// The names that settings have for the formats.
    static let names = ["ndjson", "parquet"]

    var name: String {
        switch self {
        case .ndjson: "ndjson"
        case .parquet: "parquet"
        }
    }

    /// The format of settings; lines of JSON when they name none.
    /// - Throws: `Refusal` for one that there is not, and for columns that cannot be.
    init(settings: JSONObject) throws(Refusal) {
        let columns = try settings.member("columns", "columns is a text", \.stringValue)
        switch try settings.member("format", "format is a text", \.stringValue) ?? "ndjson" {
        case "ndjson":
            guard columns == nil else { throw .invalid("columns are for the format parquet") }
            self = .ndjson
        case "parquet":
            _ = try ParquetExport(columns: columns)
            self = .parquet(columns: columns)
        default: throw .invalid("format is \(Self.names.joined(separator: " or "))")
        }
    }

    /// - Parameter writeKey: that of the source.
    func content(writeKey: String) throws -> any ObjectContent {
        switch self {
        case .ndjson: try CompressedLines()
        case .parquet(let columns): try EventTable(columns: columns, writeKey: writeKey)
        }
    }

    /// What the names of objects end with.
    var ending: String {
        switch self {
        case .ndjson: ".ndjson.gz"
        case .parquet: ".parquet"
        }
    }

    var mediaType: String {
        switch self {
        case .ndjson: "application/gzip"
        case .parquet: ParquetExport.mediaType
        }
    }
}

/// The content of one object, which grows by one event after the other.
protocol ObjectContent {
    mutating func append(_ event: ForwardedEvent) throws
    /// The whole content. To be asked once.
    mutating func finished() throws -> [UInt8]
}

/// Lines of JSON, compressed.
struct CompressedLines: ObjectContent {
    private let text: GzipText

    init() throws { text = try GzipText() }

    func append(_ event: ForwardedEvent) throws { try text.append(event.body + [UInt8(ascii: "\n")]) }

    func finished() throws -> [UInt8] { try text.finished() }
}

/// A file of Parquet.
struct EventTable: ObjectContent {
    private var table: ParquetExport
    private var bytes: [UInt8]
    private let writeKey: String

    /// - Parameter writeKey: that of the source.
    init(columns: String?, writeKey: String) throws {
        var table = try ParquetExport(columns: columns)
        bytes = table.begin()
        (self.table, self.writeKey) = (table, writeKey)
    }

    mutating func append(_ event: ForwardedEvent) throws { bytes += try table.row(try Self.listed(event, writeKey)) }

    mutating func finished() throws -> [UInt8] { bytes + (try table.end()) }

    private static let times = ["timestamp", "originalTimestamp", "sentAt", "receivedAt"]

    /// The event as the list of events has it, in the form in which the destination gets it.
    static func listed(_ event: ForwardedEvent, _ writeKey: String) throws -> JSON {
        let body = try JSON.parse(event.body)
        var listed: JSON = [
            "sequence": .number(JSONNumber(event.sequence)), "writeKey": .string(writeKey),
            "messageId": .string(event.messageId),
        ]
        for name in ["type", "userId", "anonymousId"] + Self.times { listed[name] = body[name] }
        listed["name"] = body[body["type"] == "track" ? "event" : "name"]
        listed["event"] = body
        return listed
    }
}
