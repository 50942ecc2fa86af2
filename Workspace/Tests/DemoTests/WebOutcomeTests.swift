import Testing
import TributaryJSON

@testable import Demo

/// The part of the demo with a web client.
@Suite struct WebOutcomeTests {
    private let visits = WebVisits()

    /// The events as they have to be stored.
    private var wanted: [JSON] {
        visits.events.filter { event in
            let visit = Int(event["userId"]?.stringValue?.dropFirst(2) ?? "") ?? 0
            return visit % 10 != 3 && event["event"] != "Debug Ping"
        }.map { event in
            var event = event
            event["context"]?["livePlugin"] = ["version": "2"]
            if event["event"] == "Product Viewed" {
                event["properties"] = ["product_id": event["properties"]?["product_did"] ?? .null]
            }
            if event["event"] == "Order Completed" { event["properties"]?["size_class"] = "small" }
            return event
        }
    }

    private func outcome(stored: [JSON], copied: [JSON], rows: [JSON]? = nil, trouble: String? = nil) -> WebOutcome {
        WebOutcome(
            visits: visits, stored: stored, copied: copied,
            warehouse: .rows(WarehouseRows(of: rows ?? stored), trouble: trouble))
    }

    @Test("The visits have the events that plugins drop and those that they keep")
    func counts() {
        #expect(visits.events.count == 840)
        #expect(visits.unwanted == 120)
        #expect(wanted.count == 720)
        #expect(Set(visits.events.map { $0["messageId"] }).count == 840)
    }

    @Test("All is well when the plugins ran on each event and the copies are those that are stored")
    func good() {
        let outcome = outcome(stored: wanted, copied: wanted.reversed())
        #expect(outcome.problems.isEmpty)
        #expect(outcome.text.contains("840 events"))
        #expect(outcome.text.contains("dropped 120"))
        #expect(outcome.accountText.contains("720 on"))
        #expect(
            outcome.warehouseText == "PostgreSQL has exactly their rows: 180 in identifies, 180 in order_completed, "
                + "180 in pages, 180 in product_viewed, 360 in tracks, 180 in users")
    }

    @Test("A missing event, an event that no plugin changed and a missing copy are problems")
    func bad() {
        let missing = outcome(stored: wanted.dropLast(), copied: wanted.dropLast())
        #expect(missing.problems == ["719 events of the web client are stored, and 720 have to be"])
        var unchanged = wanted
        unchanged[5]["context"] = [:]
        #expect(
            outcome(stored: unchanged, copied: unchanged).problems
                == ["the plugins left 1 events of the web client as they were"])
        #expect(
            outcome(stored: wanted, copied: Array(wanted.dropFirst(2))).problems
                == ["the destination function passed on 718 of 720 events of the web client"])
    }

    @Test("A row that is missing, that belongs to no event or that is there twice is a problem")
    func badRows() {
        let less = outcome(stored: wanted, copied: wanted, rows: wanted.dropLast(), trouble: "no room")
        #expect(
            less.problems == [
                "PostgreSQL has 179 rows in order_completed, and 180 have to be",
                "PostgreSQL has 359 rows in tracks, and 360 have to be",
                "the workspace cannot load PostgreSQL: no room",
            ])
        #expect(less.warehouseText.hasPrefix("PostgreSQL has their rows: "))
        let twice = outcome(stored: wanted, copied: wanted, rows: wanted + wanted.prefix(1))
        #expect(twice.problems == ["PostgreSQL has 181 rows in identifies, and 180 have to be"])
        var other = wanted
        other[0]["messageId"] = "another"
        #expect(
            outcome(stored: wanted, copied: wanted, rows: other).problems
                == ["PostgreSQL has other rows in identifies than those of the stored events"])
        let foreign: JSON = ["type": "screen", "messageId": "s"]
        #expect(
            outcome(stored: wanted, copied: wanted, rows: wanted + [foreign]).problems
                == ["PostgreSQL has 1 rows in screens, and 0 have to be"])
    }

    @Test("A warehouse that was left out is no problem, and the reason is said")
    func leftOut() {
        let outcome = WebOutcome(
            visits: visits, stored: wanted, copied: wanted, warehouse: .leftOut("PostgreSQL is not installed"))
        #expect(outcome.problems.isEmpty)
        #expect(outcome.warehouseText == "left out: PostgreSQL is not installed")
    }
}
