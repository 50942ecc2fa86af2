import GzipReading
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// A record of the log of health reports: reports that one node received, ready to be counted.
///
/// Layout: version (1), then JSON, compressed with gzip. It names a device by its digest, so the log reveals no device
/// without the secret of the cluster.
struct HealthRecord: Sendable, Equatable {
    /// The id of the node that received the reports.
    let node: String
    /// How far that node had applied the settings. A node that counts the reports has to know the same sources and
    /// roll-outs.
    let settings: AppliedChange
    var reports: [SourceReport]

    private static let version: UInt8 = 1
    /// A record takes no more reports once it has that many bytes before compression.
    private static let bytes = 512 << 10
    /// The largest record after decompression. Anything larger is not a record.
    private static let mostBytes = 4 << 20

    /// The records of some reports, each with as many as fit, in order.
    /// - Returns: each record, with the number of its reports.
    static func records(
        _ reports: [SourceReport], of node: String, settings: AppliedChange
    ) throws -> [(bytes: [UInt8], count: Int)] {
        var records: [(bytes: [UInt8], count: Int)] = []
        var (texts, size): ([JSON], Int) = ([], 0)
        func end() throws {
            guard !texts.isEmpty else { return }
            let text: JSON = [
                "node": .string(node), "incarnation": .string(settings.incarnation),
                "settings": .string("\(settings.place)"), "reports": .array(texts),
            ]
            let compressed = try GzipText()
            try compressed.append(text.encoded())
            records.append(([version] + (try compressed.finished()), texts.count))
            (texts, size) = ([], 0)
        }
        for report in reports {
            let json = report.json
            texts.append(json)
            size += json.encoded().count
            if size >= bytes { try end() }
        }
        try end()
        return records
    }

    /// Reads a record.
    /// - Returns: nil for a record that cannot be read. No node counts it.
    /// - Throws: `LogError.newer` when a newer version wrote the record. The record waits for a node that can read it.
    static func read(_ bytes: [UInt8]) throws(LogError) -> HealthRecord? {
        guard bytes.first.map({ $0 <= version }) ?? true else {
            throw .newer("a record of health reports")
        }
        guard bytes.first == version, let text = try? Gunzip.inflate(Array(bytes.dropFirst()), limit: mostBytes),
            let json = try? JSON.parse(text, limits: JSONLimits(depth: 16, bytes: mostBytes)),
            let node = json["node"]?.stringValue, let incarnation = json["incarnation"]?.stringValue,
            let place = json["settings"]?.stringValue.flatMap({ UInt64($0) }), let reports = json["reports"]?.elements
        else { return nil }
        return HealthRecord(
            node: node, settings: AppliedChange(incarnation: incarnation, place: place),
            reports: reports.compactMap(SourceReport.init))
    }
}
