package import GRDB
package import TributaryJSON

/// One deployed version of a source's live plugins. It never changes, and no number is used twice.
package struct BundleVersion: Sendable, Equatable {
    package let version: Int64
    /// SHA-256 of the text in hexadecimal, so that devices can check what they got.
    package let sha256: String
    package let bytes: Int64
    package let deployedAt: Int64
    /// The Ed25519 signatures of the text in base 64, with commas between them; nil when it was deployed without one.
    package let signature: String?
    /// The share of devices that run it, in percent. Below 100 the version is staged, and the other devices run the
    /// newest version for all devices.
    package let percentage: Int
    package let place: PluginPlace

    /// The signatures one by one.
    package var signatures: [String] { signature?.split(separator: ",").map(String.init) ?? [] }

    package var isStaged: Bool { percentage < 100 }

    /// An empty text switches live plugins off.
    package var isOff: Bool { bytes == 0 }

    /// - Parameter prefix: the prefix of the column names, for a row with several versions.
    package init(row: Row, prefix: String = "") throws {
        version = try row.decode(forColumn: prefix + "version")
        sha256 = try row.decode(forColumn: prefix + "sha256")
        bytes = try row.decode(forColumn: prefix + "bytes")
        deployedAt = try row.decode(forColumn: prefix + "deployedAt")
        signature = try row.decode(forColumn: prefix + "signature")
        percentage = try row.decode(forColumn: prefix + "percentage")
        // A newer version of the program may know more places.
        place = PluginPlace(rawValue: try row.decode(forColumn: prefix + "place")) ?? .device
    }

    /// Nil when an outer join found no version.
    package init?(rowOfJoin row: Row, prefix: String) throws {
        guard try row.decode(Int64?.self, forColumn: prefix + "version") != nil else { return nil }
        try self.init(row: row, prefix: prefix)
    }

    /// The columns of a joined table, renamed with the prefix.
    package static func columns(of table: String, prefix: String) -> String {
        ["version", "sha256", "bytes", "deployedAt", "signature", "percentage", "place"]
            .map { "\(table).\($0) AS \(prefix)\($0)" }.joined(separator: ", ")
    }

    package var summary: JSON {
        [
            "version": .number(version), "sha256": .string(sha256), "bytes": .number(bytes),
            "deployedAt": .time(deployedAt), "percentage": .number(percentage), "signed": .bool(signature != nil),
            "signature": .string(signature), "where": .string(place.rawValue),
        ]
    }
}
