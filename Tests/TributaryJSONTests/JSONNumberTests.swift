import Foundation
import Testing
import TributaryJSON

@Suite struct JSONNumberTests {
    @Test(
        "The double of a number is the nearest to its spelling",
        arguments: [
            "0.1", "59.9", "-0.0", "-0", "1.50", "0.000001", "123456789.123456", "12345678901234.5",
            "123456789012345.6",
            "9007199254740993.0", "0.30000000000000004", "1e400", "-1e-400", "1.5E3", "0.100000000000000005551",
        ])
    func nearestDouble(text: String) throws {
        let number = try #require(try JSON.parse(text).numberValue)
        #expect(number.double.bitPattern == Double(text)?.bitPattern)
    }

    @Test(
        "A number keeps its spelling",
        arguments: [
            "0", "-0", "-0.0", "0.0", "1", "-1", "1.50", "1.0", "1e2", "1E2", "1e+2", "1E-2", "0e0", "-0e-0", "1e400",
            "-1e400",
            "1e-400", "0.1", "0.10000000000000000555", "123456789012345678", "999999999999999999",
            "1000000000000000000",
            "9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775809",
            "18446744073709551615", "18446744073709551616", "1234567890123456789012345678901234567890",
            "-1234567890123456789012345678901234567890", "3.141592653589793238462643383279502884197",
            "1e99999999999999999999999", "9007199254740993", "100000000000000000000000",
        ])
    func spelling(text: String) throws {
        #expect(try JSON.parse(text).description == text)
        #expect(try JSON.parse("[\(text)]").description == "[\(text)]")
    }

    @Test("Integers are exact at the edges of 64 bits")
    func edges() throws {
        let signed: [Int64] = [
            0, 1, -1, .max, .min, .max - 1, .min + 1, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1, 999_999_999_999_999_999,
            1_000_000_000_000_000_000, -999_999_999_999_999_999, -1_000_000_000_000_000_000,
        ]
        for value in signed {
            #expect(try JSON.parse("\(value)").numberValue?.int64 == value)
            #expect(JSONNumber(value).description == "\(value)")
            #expect(JSONNumber(value).uint64 == UInt64(exactly: value))
        }
        let unsigned: [UInt64] = [.max, .max - 1, 1 << 63, (1 << 63) - 1, 0]
        for value in unsigned {
            #expect(try JSON.parse("\(value)").numberValue?.uint64 == value)
            #expect(JSONNumber(value).description == "\(value)")
            #expect(JSONNumber(value).int64 == Int64(exactly: value))
        }
    }

    @Test("Integers of 128 bits keep every digit")
    func wideIntegers() throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        #expect(JSONNumber(Int128.min).description == "-170141183460469231731687303715884105728")
        #expect(JSONNumber(UInt128.max).description == "340282366920938463463374607431768211455")
        #expect(JSONNumber(Int128(7)) == JSONNumber(7))
    }

    @Test(
        "A whole number is an integer in any spelling",
        arguments: [
            ("1.0", 1), ("1e3", 1000), ("100e-2", 1), ("-0", 0), ("0e99999999999999999999", 0), ("0.0", 0),
            ("9007199254740993.0", 9_007_199_254_740_993), ("922337203685477580.7e1", .max),
            ("-92233720368547758080e-1", .min), ("12345678901234567890e-1", 1_234_567_890_123_456_789), ("-5.0e0", -5),
        ] as [(String, Int64)])
    func wholeNumbers(text: String, expected: Int64) throws {
        let number = try #require(try JSON.parse(text).numberValue)
        #expect(number.int64 == expected)
        #expect(number == JSONNumber(expected))
        #expect(number.hashValue == JSONNumber(expected).hashValue)
    }

    @Test(
        "A number that no signed integer holds has no integer value",
        arguments: [
            "1.5", "1e400", "-1e400", "9223372036854775808.0", "1e19", "-9223372036854775809.0", "1e-1", "0.5e0",
            "123456789012345678901234567890", "1e99999999999999999999", "-1e-99999999999999999999",
        ])
    func noInteger(text: String) throws {
        let json = try JSON.parse(text)
        #expect(json.numberValue?.int64 == nil)
        #expect(json.intValue == nil)
    }

    @Test("A number is an unsigned integer in any spelling when it is in the range")
    func unsigned() throws {
        #expect(try JSON.parse("18446744073709551615.0").numberValue?.uint64 == .max)
        #expect(try JSON.parse("1e19").numberValue?.uint64 == 10_000_000_000_000_000_000)
        #expect(try JSON.parse("18446744073709551616").numberValue?.uint64 == nil)
        #expect(try JSON.parse("-1.0").numberValue?.uint64 == nil)
        #expect(try JSON.parse("-0.0").numberValue?.uint64 == 0)
        #expect(JSONNumber(-1).uint64 == nil)
    }

    @Test("Very large and very small numbers become infinity and 0 as doubles")
    func doubles() throws {
        #expect(try JSON.parse("0.1").doubleValue == 0.1)
        #expect(try JSON.parse("1e400").doubleValue == .infinity)
        #expect(try JSON.parse("-1e400").doubleValue == -.infinity)
        #expect(try JSON.parse("1e-400").doubleValue == 0)
        #expect(try JSON.parse("-0").doubleValue?.sign == .minus)
        #expect(try JSON.parse("18446744073709551615").doubleValue == 18_446_744_073_709_551_616)
        #expect(try JSON.parse("1" + String(repeating: "0", count: 100_000)).doubleValue == .infinity)
    }

    @Test(
        "A double is written with the fewest digits that read back the same",
        arguments: [
            (0, "0"), (-0.0, "-0"), (1, "1"), (-1, "-1"), (0.1, "0.1"), (1.5, "1.5"), (100, "100"),
            (1e15, "1000000000000000"),
            (1e16, "1e+16"), (1e22, "1e+22"), (1e-7, "1e-07"), (.leastNonzeroMagnitude, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
            (0.30000000000000004, "0.30000000000000004"), (9_007_199_254_740_992, "9007199254740992"),
        ] as [(Double, String)])
    func shortest(value: Double, expected: String) throws {
        #expect(JSONNumber(value)?.description == expected)
        #expect(try JSON.parse(expected).doubleValue?.bitPattern == value.bitPattern)
    }

    @Test("Any finite double reads back the same after writing")
    func roundTrip() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<5000 {
            let value = Double(bitPattern: random.next())
            guard let number = JSONNumber(value) else {
                #expect(!value.isFinite)
                continue
            }
            let read = try JSON.parse(number.description)
            #expect(read.doubleValue?.bitPattern == value.bitPattern)
            #expect(read == .number(number))
            #expect(read.hashValue == JSON.number(number).hashValue)
        }
    }

    @Test("A double that is not finite makes no JSON number")
    func nonFinite() {
        #expect(JSONNumber(.infinity) == nil)
        #expect(JSONNumber(-.infinity) == nil)
        #expect(JSONNumber(.nan) == nil)
    }

    @Test(
        "Numbers with the same value in two spellings are equal",
        arguments: [
            ("1", "1.0"), ("1", "1e0"), ("100", "1e2"), ("0", "-0"), ("0", "0.000e7"), ("0.1", "1e-1"), ("1.50", "1.5"),
            ("1e400", "10e399"),
            ("1234567890123456789012345678901234567890", "123456789012345678901234567890123456789e1"),
            ("18446744073709551615", "18446744073709551615.0"), ("-2.50", "-25e-1"),
        ])
    func equal(left: String, right: String) throws {
        let (left, right) = (try JSON.parse(left), try JSON.parse(right))
        #expect(left == right)
        #expect(right == left)
        #expect(left.hashValue == right.hashValue)
    }

    @Test(
        "Numbers with different values are not equal, however near they are",
        arguments: [
            ("1", "-1"), ("1", "2"), ("1.5", "-1.5"), ("9007199254740992", "9007199254740993"),
            ("9007199254740993", "9007199254740992.0"), ("1e400", "1e401"), ("0.1", "0.10000000000000000555"),
            ("1234567890123456789012345678901234567890", "1234567890123456789012345678901234567891"),
            ("18446744073709551615", "18446744073709551616"), ("1e400", "-1e400"), ("12", "21"), ("1e-400", "0"),
        ])
    func notEqual(left: String, right: String) throws {
        let (left, right) = (try JSON.parse(left), try JSON.parse(right))
        #expect(left != right)
        #expect(right != left)
    }

    @Test("Numbers that code made of doubles and integers compare by their values")
    func madeByCode() {
        #expect(JSON.number(JSONNumber(1)) == 1.0)
        #expect(JSONNumber(0.0) == JSONNumber(-0.0))
        #expect(JSONNumber(0.5) != JSONNumber(0))
        #expect(JSONNumber(UInt64.max) != JSONNumber(-1))
    }

    /// A double is the number of its text, so that writing and reading change no property of the number.
    @Test(
        "A number that code made of a double equals the number that is read from its text",
        arguments: [0x1p53, 0x1p62, -0x1p63, 0x1p63, 0x1p64, 1e18, -1e19, 123.5, -0.0, 4503599627370496.5])
    func doublesAndText(value: Double) throws {
        let number = try #require(JSONNumber(value))
        let read = try #require(try JSON.parse(number.description).numberValue)
        #expect(number == read)
        #expect(number.int64 == read.int64)
        #expect(number.uint64 == read.uint64)
        #expect(number.double == read.double)
    }
}
