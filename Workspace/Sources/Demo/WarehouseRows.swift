import ProgramSupport
import TributaryJSON

/// The ids of the rows of each table of a warehouse; tables without rows are left out.
struct WarehouseRows: Equatable {
    private let tables: [String: [String]]

    init(ids: [String: [String]]) { tables = ids.filter { !$0.value.isEmpty }.mapValues { $0.sorted() } }

    /// The rows that stored events have to have.
    init(of events: [JSON]) {
        var ids: [String: [String]] = [:]
        var users: Set<String> = []
        for event in events {
            let id = event["messageId"]?.stringValue ?? ""
            ids["\(event["type"]?.stringValue ?? "")s".replacing("identifys", with: "identifies"), default: []].append(
                id)
            if let name = event["event"]?.stringValue {
                ids[name.lowercased().replacing(" ", with: "_"), default: []].append(id)
            }
            if event["type"] == "identify", let user = event["userId"]?.stringValue { users.insert(user) }
        }
        ids["users"] = Array(users)
        self.init(ids: ids)
    }

    /// How many rows each table has.
    var text: String {
        tables.sorted { $0.key < $1.key }.map { "\(Grouped.text($0.value.count)) in \($0.key)" }.joined(separator: ", ")
    }

    /// The problems, each as a sentence.
    /// - Parameter wanted: the rows that have to be there.
    func problems(wanted: WarehouseRows) -> [String] {
        Set(tables.keys).union(wanted.tables.keys).sorted().compactMap { name in
            let (found, wanted) = (tables[name] ?? [], wanted.tables[name] ?? [])
            guard found != wanted else { return nil }
            guard found.count == wanted.count else {
                return "PostgreSQL has \(found.count) rows in \(name), and \(wanted.count) have to be"
            }
            return "PostgreSQL has other rows in \(name) than those of the stored events"
        }
    }
}
