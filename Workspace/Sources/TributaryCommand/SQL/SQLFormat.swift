import ArgumentParser
import TributaryJSON
import WorkspaceServer

/// How the answer to a query is written.
enum SQLFormat: String, ExpressibleByArgument, CaseIterable {
    case table, csv, json

    func lines(_ answer: SQLiteWarehouse.Answer) -> [String] {
        switch self {
        case .table:
            // Numbers stand at the right, when all values of a column and those behind it are numbers.
            let texts = answer.columns.indices.last { column in
                !answer.rows.allSatisfy { Self.isNumber($0[column]) }
            }
            return TextTable.lines(
                answer.columns.map(\.printable), answer.rows.map { $0.map { Self.text($0).printable } },
                texts: texts.map { $0 + 1 } ?? 0)
        case .csv: return ([answer.columns] + answer.rows.map { $0.map(Self.text) }).map(Self.csv)
        case .json:
            return answer.rows.map { row in
                var object = JSONObject()
                for (name, value) in zip(answer.columns, row) { object[name] = value }
                return JSON.object(object).description
            }
        }
    }

    private static func isNumber(_ value: JSON) -> Bool { value.isNull || value.numberValue != nil }

    private static func text(_ value: JSON) -> String {
        value.isNull ? "" : value.stringValue ?? value.description
    }

    private static func csv(_ cells: [String]) -> String {
        String(decoding: CSVText.line(cells.map { Array($0.utf8) }), as: UTF8.self)
    }
}
