import TributaryJSON

/// Finds plugins that track an event again when they see it: they see the event that they made, too, and track that one
/// again.
///
/// Only running them shows it. The events have the names that the script writes, because many plugins look at one event.
enum OwnEventProbe {
    /// Names that are tried, so that a large bundle takes no long time.
    private static let names = 50
    /// Letters of the longest name.
    private static let letters = 100

    /// What a bundle does again with its own event, such as `track "Order Completed"`; nil when there is nothing.
    static func repetition(in source: String, name: String) -> String? {
        // One that cannot be loaded was told of before.
        guard let testRun = try? PluginTestRun(source: source, name: name) else { return nil }
        for event in events(source) {
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
            guard case .text(let text) = token, !text.isEmpty, text.count <= letters, !names.contains(text) else {
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
