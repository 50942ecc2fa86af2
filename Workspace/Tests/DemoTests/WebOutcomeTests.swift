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

    @Test("The visits have the events that plugins drop and those that they keep")
    func counts() {
        #expect(visits.events.count == 840)
        #expect(visits.unwanted == 120)
        #expect(wanted.count == 720)
        #expect(Set(visits.events.map { $0["messageId"] }).count == 840)
    }

    @Test("All is well when the plugins ran on each event and the copies are those that are stored")
    func good() {
        let outcome = WebOutcome(visits: visits, stored: wanted, copied: wanted.reversed())
        #expect(outcome.problems.isEmpty)
        #expect(outcome.text.contains("840 events"))
        #expect(outcome.text.contains("dropped 120"))
        #expect(outcome.accountText.contains("720 on"))
    }

    @Test("A missing event, an event that no plugin changed and a missing copy are problems")
    func bad() {
        let missing = WebOutcome(visits: visits, stored: Array(wanted.dropLast()), copied: Array(wanted.dropLast()))
        #expect(missing.problems == ["719 events of the web client are stored, and 720 have to be"])
        var unchanged = wanted
        unchanged[5]["context"] = [:]
        #expect(
            WebOutcome(visits: visits, stored: unchanged, copied: unchanged).problems
                == ["the plugins left 1 events of the web client as they were"])
        #expect(
            WebOutcome(visits: visits, stored: wanted, copied: Array(wanted.dropFirst(2))).problems
                == ["the destination function passed on 718 of 720 events of the web client"])
    }
}
