import Foundation

extension JSONNumber {
    /// The number as an object of Foundation, which casts to every number type.
    ///
    /// On Apple's systems it is a decimal number, which casts to all types including `Decimal`. On Linux it is a plain
    /// number: there, Foundation ends the process when a decimal number is hashed, loses the last digit of one decimal
    /// in three on the way to a `Double` (19.99), and cannot return some large integers.
    var foundationNumber: NSNumber {
        #if canImport(Darwin)
        decimalNumber
        #else
        plainNumber
        #endif
    }

    private var plainNumber: NSNumber {
        if let integer = int64 { return NSNumber(value: integer) }
        if let integer = uint64 { return NSNumber(value: integer) }
        return NSNumber(value: double)
    }

    #if canImport(Darwin)
    private var decimalNumber: NSNumber {
        if let integer = int64 { return Self.decimal(integer) ?? NSNumber(value: integer) }
        if let integer = uint64 { return Self.decimal(integer) ?? NSNumber(value: integer) }
        let double = double
        guard let decimal = Decimal(string: description, locale: Self.plainLocale), decimal.isFinite else {
            return NSNumber(value: double)
        }
        let number = NSDecimalNumber(decimal: decimal)
        return number.doubleValue == double ? number : NSNumber(value: double)
    }

    private static func decimal(_ integer: Int64) -> NSDecimalNumber? {
        let number = NSDecimalNumber(decimal: Decimal(integer))
        let isExact = integer.magnitude <= safeMagnitude || (number as Any) as? Int64 == integer
        return isExact ? number : nil
    }

    private static func decimal(_ integer: UInt64) -> NSDecimalNumber? {
        let number = NSDecimalNumber(decimal: Decimal(integer))
        return (number as Any) as? UInt64 == integer ? number : nil
    }

    /// Integers up to this one are exact in a `Double`, too.
    private static let safeMagnitude: UInt64 = 1 << 53
    private static let plainLocale = Locale(identifier: "en_US_POSIX")
    #endif
}
