import TributaryJSON

/// How reports name an event.
enum EventTitle {
    static func text(_ event: JSON) -> String {
        let type = event["type"]?.stringValue ?? "event"
        let name = event["event"]?.stringValue ?? event["name"]?.stringValue
        let id = event["messageId"]?.stringValue.map { " \($0)" } ?? ""
        return type + (name.map { " \"\($0)\"" } ?? "") + id
    }
}
