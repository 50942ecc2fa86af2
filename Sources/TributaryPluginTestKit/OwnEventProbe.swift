import AnalyticsLive
import TributaryJSON

/// Finds plugins that track an event again when they see it. Such a plugin also sees the event that it made, and tracks
/// that one again.
///
/// Only running the plugins shows it. The probe uses the event names in the script, because many plugins look at one
/// event.
enum OwnEventProbe {
    /// The largest number of names that are tried, so that a large bundle does not take long.
    private static let names = 50
    /// Characters of the longest name.
    private static let letters = 100

    /// The event that a bundle tracks again, such as `track "Order Completed"`; nil when there is none.
    static func repetition(in source: String, name: String) -> String? {
        // A bundle that cannot be loaded was already reported.
        guard let testRun = try? PluginTestRun(source: source, name: name) else { return nil }
        for event in events(BundleText(source).code) {
            let made = testRun.eventsMade(of: event).filter { isSame($0, event) }
            if made.contains(where: { own in testRun.eventsMade(of: own).contains { isSame($0, event) } }) {
                return description(of: event)
            }
        }
        return nil
    }

    private static func events(_ source: String) -> [JSON] {
        var scan = ScriptScan(source)
        var names = ["An Event"]
        while names.count < Self.names, let token = scan.next() {
            guard case .text(let text, _) = token, !text.isEmpty, text.count <= letters, !names.contains(text) else {
                continue
            }
            names.append(text)
        }
        let tracks = names.map { event("track", ["event": .string($0), "properties": [:]]) }
        return tracks + [
            event("screen", ["name": "A Screen", "properties": [:]]), event("identify", ["traits": [:]]),
            event("group", ["groupId": "g-1", "traits": [:]]),
        ]
    }

    private static func event(_ type: String, _ members: JSONObject) -> JSON {
        var event = members
        event["type"] = .string(type)
        event["userId"] = "u-1"
        event["anonymousId"] = "a-1"
        event["messageId"] = "m-1"
        event["context"] = [:]
        return .object(event)
    }

    private static func isSame(_ made: JSON, _ event: JSON) -> Bool {
        ["type", "event", "name", "groupId"].allSatisfy { made[$0] == event[$0] }
    }

    private static func description(of event: JSON) -> String {
        let type = event["type"]?.stringValue ?? "an event"
        return event["event"]?.stringValue.map { "\(type) \"\($0)\"" } ?? type
    }
}
