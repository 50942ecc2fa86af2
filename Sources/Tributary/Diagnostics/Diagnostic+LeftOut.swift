import TributaryJSON

extension Diagnostic {
    /// Values that were given to a call and have no JSON form, each with its place.
    static func leftOut(_ values: [LeftOutValue], of call: String) -> Diagnostic {
        var places = values.prefix(Limits.namedValues).map(\.description)
        if values.count > places.count { places.append("\(values.count - places.count) more") }
        return Diagnostic(
            .invalidValue, "\(call): \(places.joined(separator: "; ")); the event goes on without these values")
    }
}
