import Testing
import TributaryJSON

@testable import Storefront

@Suite struct MoneyTests {
    private func money(_ spelling: String, _ code: String) throws -> Money? {
        let number = try #require(try JSON.parse(spelling).numberValue)
        return Money(number, currency: try #require(Currency(code)))
    }

    @Test(
        "An amount is read with the decimals of its currency",
        arguments: [
            ("12.50", "EUR", 1250), ("0.00", "EUR", 0), ("1850", "JPY", 1850), ("18.750", "KWD", 18750),
            ("138000", "KRW", 138_000),
        ])
    func readsAmounts(_ spelling: String, _ code: String, _ units: Int) throws {
        #expect(try money(spelling, code)?.minorUnits == units)
    }

    @Test(
        "An amount with wrong decimals, a sign, an exponent or too many digits is refused",
        arguments: [
            ("12.5", "EUR"), ("12", "EUR"), ("12.500", "EUR"), ("1850.00", "JPY"), ("18.75", "KWD"), ("-1.00", "EUR"),
            ("-0.50", "EUR"), ("1e2", "JPY"), ("99999999999", "JPY"), ("123456789012345678901234567890", "JPY"),
        ])
    func refusesAmounts(_ spelling: String, _ code: String) throws {
        #expect(try money(spelling, code) == nil)
    }

    @Test("An amount is encoded as an exact JSON number")
    func encodesExactly() throws {
        let price = try #require(try money("24.95", "EUR"))
        #expect(try JSON(with: ["price": price * 3]).description == #"{"price":74.85}"#)
        let dinar = try #require(try money("0.125", "KWD"))
        #expect(try JSON(with: ["price": dinar]).description == #"{"price":0.125}"#)
        let refund = Money(minorUnits: -250, currency: price.currency)
        #expect(try JSON(with: ["price": refund]).description == #"{"price":-2.5}"#)
    }

    @Test(
        "A currency code other than three capital letters is refused",
        arguments: ["eur", "EURO", "", "É€U"])
    func currencyCode(_ code: String) { #expect(Currency(code) == nil) }
}
