import Foundation
import WorkspaceCore

/// An error of a ClickHouse server, or of the connection to it.
struct ClickHouseFailure: WarehouseError, Equatable {
    /// The number of the error; nil when the server did not say anything.
    let code: Int?
    let message: String

    init(_ message: String) { self.init(code: nil, message) }

    private init(code: Int?, _ message: String) {
        (self.code, self.message) = (code, String(message.prefix(Limits.warehouseError)))
    }

    /// - Parameter answer: the text of an answer that refuses a statement: `Code: 60. DB::Exception: …`.
    init(status: Int, answer: String) {
        let digits = answer.hasPrefix("Code: ") ? answer.dropFirst(6).prefix { $0.isNumber } : ""
        guard let code = Int(digits) else {
            self.init("what answers is no ClickHouse, or something in front of it: it answers \(status)")
            return
        }
        self.init(code: code, Self.message(answer, hidesValues: Self.valueErrors.contains(code)))
    }

    var meaning: WarehouseErrorMeaning {
        switch code {
        case let code? where Self.valueErrors.contains(code): .refusesRows
        case let code? where Self.tableErrors.contains(code): .changedTables
        case 524?, 48?: .fixedColumn
        default: .unavailable
        }
    }

    var text: String {
        guard let code else { return message }
        return "the database says \(code): \(message)\(Self.advice[code].map { "; \($0)" } ?? "")"
    }

    /// One that a rule of a table refuses, and one that is too large.
    private static let valueErrors: Set<Int> = [131, 469]
    /// An unknown table, column or database, another type, and a table or column that exists already.
    private static let tableErrors: Set<Int> = [10, 15, 16, 44, 47, 53, 57, 60, 81, 117]

    /// One line without the number, the name of the exception and the version. Values of events do not belong into a state or
    /// a log.
    private static func message(_ answer: String, hidesValues: Bool) -> String {
        var text = answer.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        while text.hasPrefix("Code: "), let end = text.range(of: "DB::Exception: ") {
            text = String(text[end.upperBound...])
        }
        if let end = text.range(of: " (version ") { text = String(text[..<end.lowerBound]) }
        if hidesValues, let end = text.range(of: " Expression: ") ?? text.range(of: "'") {
            text = String(text[..<end.lowerBound])
        }
        return text
    }

    /// Source of the numbers: `system.errors`, and src/Common/ErrorCodes.cpp of ClickHouse.
    private static let advice = [
        81: "make the database, or let the user make it: GRANT CREATE DATABASE",
        159: "it took longer than the timeout of the destination",
        164: "the profile of the user is read-only; the destination needs settings for its statements",
        192: "set the right user with `tributary destination set NAME --user USER`",
        193: "set the right password with `tributary destination set NAME --secret-file FILE`",
        194: "set the right password with `tributary destination set NAME --secret-file FILE`",
        243: "the disk of the database is full",
        252: "the server merges too slowly; see system.merges",
        452: "the profile of the user forbids a setting that the destination needs",
        497: "the user needs the rights CREATE, ALTER, DROP, INSERT and SELECT in the database",
        516: "set the right user and password with `tributary destination set NAME --user USER --secret-file FILE`",
    ]
}
