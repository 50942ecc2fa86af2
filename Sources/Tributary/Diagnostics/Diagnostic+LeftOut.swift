import TributaryJSON

extension Diagnostic {
    /// The diagnostic for values of a call that have no JSON form, with their places.
    static func leftOut(_ values: [LeftOutValue], of call: String) -> Diagnostic {
        var places = values.prefix(Limits.namedValues).map(\.description)
        if values.count > places.count { places.append("\(values.count - places.count) more") }
        let end = values.contains(where: \.isReplaced) ? "the event goes on" : "the event goes on without these values"
        return Diagnostic(.invalidValue, "\(call): \(places.joined(separator: "; ")); \(end)")
    }

    /// The diagnostic for values of an event that were left out, because readers of JSON would refuse the whole event
    /// with them.
    static func tooDeep(_ values: [String], of event: JSONObject) -> Diagnostic {
        var places = Array(values.prefix(Limits.namedValues))
        if values.count > places.count { places.append("\(values.count - places.count) more") }
        let name = event["event"]?.stringValue ?? event["type"]?.stringValue ?? "an event"
        return Diagnostic(
            .invalidValue,
            "\(name): \(places.joined(separator: ", ")) nested deeper than \(JSONLimits.eventDepth) levels; the event goes on "
                + "without these values", reason: .tooDeep)
    }
}
