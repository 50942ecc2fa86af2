import TributaryJSON
import WorkspaceCore

/// The format of exported events, one row for each. A value writes one file.
protocol ExportFormat: Sendable {
    var mediaType: String { get }
    /// Whether only the whole file can be read. Pages of other formats, one behind the other, are a file.
    var comesWhole: Bool { get }
    /// The bytes before the rows.
    mutating func begin() -> [UInt8]
    /// Takes one event, as `/api/events` lists it.
    /// - Returns: the bytes that can be written by now.
    mutating func row(_ event: [UInt8]) throws -> [UInt8]
    /// The bytes behind the last row.
    mutating func end() throws -> [UInt8]
}

extension ExportFormat {
    var comesWhole: Bool { false }

    mutating func begin() -> [UInt8] { [] }

    mutating func end() throws -> [UInt8] { [] }
}

/// A column is a member of the event as the server lists it, or a path into the event itself.
struct EventColumn: Sendable {
    let name: String
    private let path: [String]

    /// The members that every event has, and the event itself as JSON.
    static let usual = [
        "sequence", "writeKey", "messageId", "type", "name", "userId", "anonymousId", "timestamp", "receivedAt",
        "event",
    ]

    private static let own = Set(usual + ["originalTimestamp", "sentAt", "storedAt"])

    init(_ name: String) {
        self.name = name
        path = Self.own.contains(name) ? [name] : ["event"] + name.split(separator: ".").map(String.init)
    }

    /// - Throws: `Refusal` when there are too many columns, or one has no name.
    static func check(_ names: [String]) throws(Refusal) {
        guard !names.contains("") else { throw .invalid("columns are names with commas between them") }
        guard names.count <= Limits.exportColumns else {
            throw .invalid("at most \(Limits.exportColumns) columns can be exported")
        }
    }

    func value(_ event: JSON) -> JSON? { path.reduce(event) { $0?[$1] } }
}

/// JSON, a line for each event.
struct NDJSONExport: ExportFormat {
    let mediaType = "application/x-ndjson"

    func row(_ event: [UInt8]) -> [UInt8] { event + [UInt8(ascii: "\n")] }
}
