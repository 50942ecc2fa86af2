import TributaryJSON

extension Diagnostic {
    /// Members of an event that go no further, because nothing that reads JSON would take the event with them.
    static func tooDeep(_ members: [String], of event: JSONObject) -> Diagnostic {
        let name = event["event"]?.stringValue ?? event["type"]?.stringValue ?? "an event"
        return Diagnostic(
            .invalidValue,
            "\(name): \(members.joined(separator: ", ")) nested deeper than \(Limits.eventDepth) levels; the event goes on "
                + "without these values", reason: .tooDeep)
    }
}
