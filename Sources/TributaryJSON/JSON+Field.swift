public import Foundation

extension JSON {
    /// A number from a decimal, for code of analytics-swift. A decimal that is not a number becomes 0.
    public static func number(_ value: Decimal) -> JSON { (try? number(value, .zero)) ?? 0 }

    /// An object from a dictionary, for code of analytics-swift. Its members are ordered by key.
    public static func object(_ members: [String: JSON]) -> JSON { .object(JSONObject(members)) }
}
