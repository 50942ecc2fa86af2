package import TributaryJSON
import WorkspaceCore

/// Answers one query in SQL: takes the messages of the server one after the other, in the process of the query.
package struct SQLAnswering {
    private struct Question {
        let tables: SQLiteWarehouse
        let query: String?
        let rows: Int
    }

    private var question: Question?

    package init() {}

    /// Does each kind of work once, so that the process has opened what it needs before it loses its rights.
    /// - Returns: a run that the process keeps until its end. The end of a database starts a thread that needs more rights.
    package static func prepared() -> SQLAnswering {
        var answering = SQLAnswering()
        let event = #"{"messageId":"m","type":"track","event":{"type":"track","event":"E","properties":{"n":1.5}}}"#
        for message in [.begin(query: "SELECT upper(id) FROM tracks", rows: 1), .events(Array(event.utf8)), .answer]
            as [SQLMessage]
        {
            _ = answering.answer(to: message)
        }
        return answering
    }

    /// - Returns: an `error` with words for the reader, the `result` for the last message, else an empty object.
    package mutating func answer(to message: SQLMessage) -> JSON {
        do {
            switch message {
            case .begin(let query, let rows): try begin(query, rows)
            case .events(let lines): try load(lines)
            case .answer: return ["result": try result()]
            }
            return [:]
        } catch {
            return ["error": .string("\(error)")]
        }
    }

    private mutating func begin(_ query: String?, _ rows: Int) throws {
        // Without a query the tables stay empty, and only their columns are wanted.
        let tables = try SQLiteWarehouse(.memory, onlyTablesOf: query ?? "")
        // The tables stay, also for a query with a mistake: the end of a database starts a thread that needs more rights.
        question = Question(tables: tables, query: query, rows: rows)
        if let query { try tables.check(query) }
    }

    private func load(_ lines: [UInt8]) throws {
        guard let question else { return }
        try question.tables.add(lines.split(separator: UInt8(ascii: "\n")).map { try JSON.parse(Array($0)) })
    }

    private func result() throws -> JSON {
        guard let question else { return .null }
        let list = try question.tables.columns().map { table, columns -> JSON in
            ["name": .string(table), "columns": .array(columns.map(JSON.string))]
        }
        var result: JSONObject = ["tables": .array(list)]
        guard let query = question.query else { return .object(result) }
        let answer = try question.tables.answer(query, limit: question.rows, bytes: Limits.sqlAnswer)
        result["columns"] = .array(answer.columns.map(JSON.string))
        result["rows"] = .array(answer.rows.map { .array($0.map(Self.exact)) })
        result["isCut"] = .bool(answer.isCut)
        return .object(result)
    }

    /// A whole number that a program in JavaScript would round becomes a text.
    private static func exact(_ value: JSON) -> JSON {
        guard let number = value.intValue, number.magnitude > 1 << 53 else { return value }
        return .string(String(number))
    }
}
