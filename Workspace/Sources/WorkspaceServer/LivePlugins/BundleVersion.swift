import GRDB
import TributaryJSON

/// One deployed version of a source's live plugins. It never changes, and no number is used twice.
struct BundleVersion: Sendable, Equatable {
    let version: Int64
    /// SHA-256 of the text in hexadecimal, so that devices can check what they got.
    let sha256: String
    let bytes: Int64
    let deployedAt: Int64
    /// The author's Ed25519 signature of the text in base 64, when it was deployed with one.
    let signature: String?

    /// An empty text switches live plugins off.
    var isOff: Bool { bytes == 0 }

    init(row: Row) throws {
        version = try row.decode(Int64.self, forColumn: "version")
        sha256 = try row.decode(String.self, forColumn: "sha256")
        bytes = try row.decode(Int64.self, forColumn: "bytes")
        deployedAt = try row.decode(Int64.self, forColumn: "deployedAt")
        signature = try row.decode(String?.self, forColumn: "signature")
    }

    /// Nil when an outer join found no version.
    init?(rowOfJoin row: Row) throws {
        guard try row.decode(Int64?.self, forColumn: "version") != nil else { return nil }
        try self.init(row: row)
    }

    var summary: JSON {
        [
            "version": .number(JSONNumber(version)),
            "sha256": .string(sha256),
            "bytes": .number(JSONNumber(bytes)),
            "deployedAt": .string(ISO8601.string(milliseconds: deployedAt)),
            "signed": .bool(signature != nil),
            "signature": signature.map(JSON.string) ?? .null,
        ]
    }
}
