import Foundation
package import GRDB
package import TributaryJSON

/// A version of the filter rules with the rules.
package struct ServedFilters: Sendable, Equatable {
    package let set: FilterSet
    package let rules: JSON

    /// Nil when an outer join found no version.
    package init?(rowOfJoin row: Row, prefix: String) throws {
        guard try row.decode(Int64?.self, forColumn: prefix + "version") != nil else { return nil }
        set = try FilterSet(row: row, prefix: prefix)
        rules = try row.json(prefix + "body")
    }

    /// The columns of a joined table, renamed with the prefix.
    package static func columns(of table: String, prefix: String) -> String {
        ["version", "sha256", "count", "deployedAt", "percentage", "body"]
            .map { "\(table).\($0) AS \(prefix)\($0)" }.joined(separator: ", ")
    }
}
