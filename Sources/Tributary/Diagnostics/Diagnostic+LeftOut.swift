import TributaryJSON

extension Diagnostic {
    /// The diagnostic for values of a call that have no JSON form, with their places.
    static func leftOut(_ values: [LeftOutValue], of call: String) -> Diagnostic {
        var places = values.prefix(Limits.namedValues).map(\.description)
        if values.count > places.count { places.append("\(values.count - places.count) more") }
        return Diagnostic(
            .invalidValue, "\(call): \(places.joined(separator: "; ")); the event goes on without these values")
    }
}
