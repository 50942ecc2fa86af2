public import Foundation

extension JSON {
    /// A number, made of a decimal as code of the field does it; one that is not a number is 0.
    public static func number(_ value: Decimal) -> JSON { (try? number(value, .zero)) ?? 0 }

    /// An object, made of a dictionary as code of the field does it; its members are ordered by key.
    public static func object(_ members: [String: JSON]) -> JSON { .object(JSONObject(members)) }
}
