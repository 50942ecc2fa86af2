package import Foundation
package import GRDB
package import TributaryJSON

/// Texts that clients chose, in SQL: from their first byte to their last.
///
/// SQLite keeps a NUL in a text like any other character. The library ends a text at it, when it writes as well as when
/// it reads, so such texts go in and out as bytes.
package enum WholeText {
    /// The SQL for a text. Its argument is `argument`; a text without a character has no bytes to be cast.
    package static let parameter = "ifnull(CAST(? AS TEXT), '')"

    /// The argument for `parameter`.
    package static func argument(_ text: String) -> Data { Data(text.utf8) }

    /// Columns of a table as `Row.wholeText` reads them.
    package static func columns(_ names: [String], of table: String) -> String {
        names.map { "CAST(\(table).\($0) AS BLOB) AS \($0)" }.joined(separator: ", ")
    }
}

extension Row {
    /// A text of a column that was selected with `WholeText.columns`; nil when there is none.
    package func wholeText(_ column: String) throws -> String? {
        try decode(Data?.self, forColumn: column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The JSON text of a column.
    package func json(_ column: String) throws -> JSON {
        try JSON.parse([UInt8](try decode(Data.self, forColumn: column)))
    }

    /// A text of a column that always has one.
    package func knownText(_ column: String) throws -> String {
        String(decoding: try decode(Data.self, forColumn: column), as: UTF8.self)
    }
}

extension String {
    /// Whether both have the same bytes. `==` also takes texts for the same that only look the same, such as an accent
    /// that is written in one character or in two; ids of two users may differ in that.
    package func isSameText(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
