import ProgramSupport
import TributaryJSON

/// Where the web client's events went.
struct WebOutcome {
    let visits: WebVisits
    /// The events in its source.
    let stored: [JSON]
    /// The events in the source that the destination function sends to.
    let copied: [JSON]
    /// The rows of the warehouse.
    let warehouse: Warehouse

    /// Where the stored events were loaded.
    enum Warehouse: Equatable {
        /// - Parameter trouble: why the workspace cannot load them.
        case rows(WarehouseRows, trouble: String?)
        /// Why there is none.
        case leftOut(String)
    }

    /// The story on one line.
    var text: String {
        "a web client sent \(Grouped.text(visits.events.count)) events; the app's plugins ran on them in the workspace and "
            + "dropped \(Grouped.text(visits.events.count - stored.count))"
    }

    /// The account on one line.
    var accountText: String {
        "\(Grouped.text(stored.count)) are stored, and a destination function passed \(Grouped.text(copied.count)) on"
    }

    /// The warehouse on one line.
    var warehouseText: String {
        switch warehouse {
        case .rows(let rows, _):
            "PostgreSQL has \(rows == WarehouseRows(of: stored) ? "exactly " : "")their rows: \(rows.text)"
        case .leftOut(let reason): "left out: \(reason)"
        }
    }

    /// The problems, each as a sentence.
    var problems: [String] {
        var problems: [String] = []
        let wanted = visits.events.count - visits.unwanted
        if stored.count != wanted {
            problems.append("\(stored.count) events of the web client are stored, and \(wanted) have to be")
        }
        let unchanged = stored.count { !Self.isChanged($0) }
        if unchanged > 0 { problems.append("the plugins left \(unchanged) events of the web client as they were") }
        let ids = { (events: [JSON]) in events.compactMap { $0["messageId"]?.stringValue }.sorted() }
        if ids(copied) != ids(stored) {
            problems.append(
                "the destination function passed on \(copied.count) of \(stored.count) events of the web client")
        }
        if case .rows(let rows, let trouble) = warehouse {
            let missing = rows.problems(wanted: WarehouseRows(of: stored))
            problems += missing
            if let trouble, !missing.isEmpty { problems.append("the workspace cannot load PostgreSQL: \(trouble)") }
        }
        return problems
    }

    /// Whether each plugin that is for the event ran on it.
    private static func isChanged(_ event: JSON) -> Bool {
        guard event["context"]?["livePlugin"]?["version"] == "2" else { return false }
        switch event["event"] {
        case "Product Viewed":
            return event["properties"]?["product_id"] != nil && event["properties"]?["product_did"] == nil
        case "Order Completed": return event["properties"]?["size_class"] != nil
        default: return true
        }
    }
}
