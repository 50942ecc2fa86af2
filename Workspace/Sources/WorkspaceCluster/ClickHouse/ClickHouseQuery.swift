import Foundation
import WorkspaceCore
import WorkspaceServer

/// A statement with bound values.
///
/// Values never become text of the statement. They go to the server beside it, as the one row of a temporary table
/// `given`, and the statement has a subquery instead of each value. Every version of ClickHouse knows this form;
/// parameters (`{name:Type}`) came with 19.14. A server computes such a subquery once, before it chooses the parts that
/// it reads.
struct ClickHouseQuery: Sendable {
    /// The statement. It contains only integers and literals of the program.
    var text = ""
    private var columns: [String] = []
    private var row = RowBinaryWriter()

    init() {}

    init(_ text: String) { self.text = text }

    /// Binds a value.
    /// - Returns: the text that represents the value in the statement.
    mutating func value(_ number: Int64) -> String {
        row.write(number)
        return "(SELECT \(add("Int64")) FROM given)"
    }

    mutating func value(_ text: some Collection<UInt8>) -> String {
        row.write(text)
        return "(SELECT \(add("String")) FROM given)"
    }

    mutating func value(_ text: String) -> String { value(text.utf8) }

    /// Binds a list.
    /// - Returns: the text for the statement, after `IN`.
    mutating func list(_ numbers: [Int64]) -> String { "(SELECT arrayJoin(\(bind(numbers))) FROM given)" }

    /// Binds days.
    /// - Returns: the text for the statement, after `day IN`.
    mutating func list(_ days: some Collection<Day>) -> String {
        "(SELECT toInt32(arrayJoin(\(bind(days.map(\.number))))) FROM given)"
    }

    mutating func list(_ texts: [[UInt8]]) -> String {
        row.write(texts)
        return "(SELECT arrayJoin(\(add("Array(String)"))) FROM given)"
    }

    /// Binds the digests of rows.
    mutating func list(_ keys: [MessageKey]) -> String {
        row.write(keys.map { $0.withBytes { Array($0) } })
        return "(SELECT toFixedString(arrayJoin(\(add("Array(String)"))), 16) FROM given)"
    }

    /// The columns of `given` with their types; nil when nothing is bound.
    var structure: String? { columns.isEmpty ? nil : columns.joined(separator: ", ") }

    /// The row of `given`.
    var given: [UInt8] { row.bytes }

    private mutating func bind(_ numbers: [Int64]) -> String {
        row.write(numbers)
        return add("Array(Int64)")
    }

    private mutating func add(_ type: String) -> String {
        let name = "value\(columns.count + 1)"
        columns.append("\(name) \(type)")
        return name
    }
}
