package import GRDB
package import TributaryJSON

/// One deployed version of a source's filter rules. It never changes, and no number is used twice. Before the first one,
/// devices run version 0, which has no rules.
package struct FilterSet: Sendable, Equatable {
    package let version: Int64
    /// SHA-256 of the rules as they are stored, in hexadecimal.
    package let sha256: String
    /// How many rules it has.
    package let count: Int
    package let deployedAt: Int64
    /// The share of devices that run it, in percent. Below 100 the version is staged, and the other devices run the newest
    /// version for all devices.
    package let percentage: Int

    package var isStaged: Bool { percentage < 100 }

    /// - Parameter prefix: the prefix of the column names, for a row with several versions.
    package init(row: Row, prefix: String = "") throws {
        version = try row.decode(forColumn: prefix + "version")
        sha256 = try row.decode(forColumn: prefix + "sha256")
        count = try row.decode(forColumn: prefix + "count")
        deployedAt = try row.decode(forColumn: prefix + "deployedAt")
        percentage = try row.decode(forColumn: prefix + "percentage")
    }

    package var summary: JSON {
        [
            "version": .number(version), "sha256": .string(sha256), "rules": .number(count),
            "deployedAt": .time(deployedAt), "percentage": .number(percentage),
        ]
    }
}
