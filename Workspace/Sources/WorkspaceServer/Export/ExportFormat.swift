import TributaryJSON
import WorkspaceCore

/// The format of exported events, one row for each.
protocol ExportFormat: Sendable {
    var mediaType: String { get }
    /// The text before the rows.
    var head: [UInt8] { get }
    /// One event, as `/api/events` lists it, with the end of its line.
    func row(_ event: [UInt8]) throws -> [UInt8]
}

/// JSON, a line for each event.
struct NDJSONExport: ExportFormat {
    let mediaType = "application/x-ndjson"
    let head: [UInt8] = []

    func row(_ event: [UInt8]) -> [UInt8] { event + [UInt8(ascii: "\n")] }
}
