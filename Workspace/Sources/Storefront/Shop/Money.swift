import Foundation
import TributaryJSON

/// An amount of money, exact: a count of the smallest unit of its currency.
struct Money: Sendable, Hashable {
    /// Beyond any price of a shop; a hundred carts of a million such amounts still fit 64 bits.
    static let largest = 10_000_000_000

    var minorUnits: Int
    let currency: Currency

    init(minorUnits: Int, currency: Currency) { (self.minorUnits, self.currency) = (minorUnits, currency) }

    /// Reads a price as it is spelled: `12.50` is one in EUR, none in JPY.
    /// - Returns: nil for negative amounts, exponents, too large amounts and more or fewer decimals than the currency has.
    init?(_ number: JSONNumber, currency: Currency) {
        let parts = number.description.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2 else { return nil }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard fraction.count == currency.decimals, let units = Int(whole + fraction),
            (0...Self.largest).contains(units),
            whole.first != "-"
        else { return nil }
        self.init(minorUnits: units, currency: currency)
    }

    static func + (left: Money, right: Money) -> Money {
        Money(minorUnits: left.minorUnits + right.minorUnits, currency: left.currency)
    }

    static func - (left: Money, right: Money) -> Money {
        Money(minorUnits: left.minorUnits - right.minorUnits, currency: left.currency)
    }

    static func * (price: Money, quantity: Int) -> Money {
        Money(minorUnits: price.minorUnits * quantity, currency: price.currency)
    }

    /// The amount in whole units of the currency.
    var decimal: Decimal {
        Decimal(
            sign: minorUnits < 0 ? .minus : .plus, exponent: -currency.decimals,
            significand: Decimal(minorUnits.magnitude))
    }
}

extension Money: Encodable {
    /// On the wire an amount is a number; its currency stands beside it.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(decimal)
    }
}
