public import Foundation

extension JSON {
    /// The number with all of its digits, when this is a number that a `Decimal` can hold.
    public var decimalValue: Decimal? {
        guard let numberValue else { return nil }
        return Decimal(string: numberValue.description, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// The integer, when this is a number that a `UInt` holds exactly.
    public var uintValue: UInt? { numberValue?.uint64.flatMap(UInt.init(exactly:)) }

    /// The nearest float, when this is a number.
    public var floatValue: Float? { doubleValue.map { Float($0) } }
}
