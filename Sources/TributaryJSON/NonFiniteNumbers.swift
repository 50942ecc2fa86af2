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

    func json(_ value: Double) throws(JSONError) -> JSON {
        if let number = JSONNumber(value) { return .number(number) }
        switch self {
        case .zero: return 0
        case .null: return .null
        case .refuse: throw JSONError(.nonFinite, "\(value) has no JSON form")
        }
    }
}
