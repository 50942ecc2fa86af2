/// The rule for numbers that JSON cannot hold: infinities and NaN.
///
/// With every rule, the document stays valid JSON and nothing crashes.
public enum NonFiniteNumbers: Sendable, Hashable {
    /// The number 0. The default, as in other clients of the field.
    case zero
    /// `null`.
    case null
    /// The value is refused with a `JSONError`.
    case refuse

    /// The name of ``refuse`` in analytics-swift.
    public static var `throw`: NonFiniteNumbers { .refuse }

    /// - Parameter noted: collects numbers that another value replaces.
    func json(_ value: Double, _ noted: LeftOutValues? = nil) throws(JSONError) -> JSON {
        if let number = JSONNumber(value) { return .number(number) }
        switch self {
        case .zero:
            noted?.add(LeftOutValue(replaced: value, by: "0"))
            return 0
        case .null:
            noted?.add(LeftOutValue(replaced: value, by: "null"))
            return .null
        case .refuse: throw JSONError(.nonFinite, "\(value) has no JSON form")
        }
    }
}
