import Foundation
import Testing
import TributaryJSON

/// The casts of each kind of number that a dictionary hands out, to each type.
@Suite("Casts of numbers in dictionaries")
struct NumberCastTests {
    /// The expected value of each cast; nil when the type does not hold the number.
    private struct Row {
        let text: String
        var double: Double?
        var float: Float?
        var int: Int?
        var int64: Int64?
        var int32: Int32?
        var uint: UInt?
        var uint64: UInt64?
        var uint8: UInt8?

        /// A whole number that every type holds.
        static func small(_ text: String, _ value: UInt8) -> Row {
            Row(
                text: text, double: Double(value), float: Float(value), int: Int(value), int64: Int64(value),
                int32: Int32(value), uint: UInt(value), uint64: UInt64(value), uint8: value)
        }
    }

    private static let rows: [Row] = [
        .small("25", 25), .small("25.0", 25), .small("2.5e1", 25), .small("0", 0), .small("1", 1), .small("1.0", 1),
        Row(text: "-25", double: -25, float: -25, int: -25, int64: -25, int32: -25),
        Row(text: "2.5", double: 2.5, float: 2.5), Row(text: "19.99", double: 19.99), Row(text: "0.1", double: 0.1),
        Row(text: "0.07", double: 0.07), Row(text: "1234567.89", double: 1_234_567.89),
        Row(text: "1e300", double: 1e300), Row(text: "2.5e-300", double: 2.5e-300), Row(text: "1e-7", double: 1e-7),
        Row(
            text: "9007199254740993", int: 9_007_199_254_740_993, int64: 9_007_199_254_740_993,
            uint: 9_007_199_254_740_993, uint64: 9_007_199_254_740_993),
        Row(
            text: "9223372036854775807", int: .max, int64: .max, uint: UInt(Int.max), uint64: UInt64(Int64.max)),
        Row(text: "-9223372036854775808", int: .min, int64: .min),
        Row(
            text: "1284704152092451130", int: 1_284_704_152_092_451_130, int64: 1_284_704_152_092_451_130,
            uint: 1_284_704_152_092_451_130, uint64: 1_284_704_152_092_451_130),
        Row(text: "18446744073709551615", uint: .max, uint64: .max),
        Row(text: "15970468073856997400", uint: 15_970_468_073_856_997_400, uint64: 15_970_468_073_856_997_400),
    ]

    @Test("Every kind of number casts to every type and back to the same JSON")
    func table() throws {
        for row in Self.rows {
            let json = try JSON.parse("{\"a\":\(row.text),\"l\":[\(row.text)],\"o\":{\"a\":\(row.text)}}")
            let dictionary = try #require(json.dictionaryValue)
            let nested = try #require((dictionary["o"] as? [String: Any])?["a"])
            let listed = try #require((dictionary["l"] as? [Any])?.first)
            for value in [try #require(dictionary["a"]), nested, listed] { check(value, row) }
            #expect(try JSON(dictionary) == json, "\(row.text)")
        }
    }

    private func check(_ value: Any, _ row: Row) {
        #expect(value is NSNumber)
        // Beyond 2^53 a double may be the nearest one; below, it is exact.
        if let double = row.double { #expect(value as? Double == double, "\(row.text) as Double") }
        if let float = row.float { #expect(value as? Float == float, "\(row.text) as Float") }
        #expect(value as? Int == row.int, "\(row.text) as Int")
        #expect(value as? Int64 == row.int64, "\(row.text) as Int64")
        #expect(value as? Int32 == row.int32, "\(row.text) as Int32")
        #expect(value as? UInt == row.uint, "\(row.text) as UInt")
        #expect(value as? UInt64 == row.uint64, "\(row.text) as UInt64")
        #expect(value as? UInt8 == row.uint8, "\(row.text) as UInt8")
        #expect((value as? NSNumber)?.doubleValue == Double(row.text), "\(row.text).doubleValue")
        #if canImport(Darwin)
        if let double = row.double { #expect(value as? CGFloat == CGFloat(double)) }
        #endif
    }

    @Test("Numbers cast to Decimal where Foundation is exact and can hash them")
    func decimals() throws {
        #if canImport(Darwin)
        for text in ["25", "25.0", "0", "2.5", "9.99", "0.1", "129.99", "-3.75", "9007199254740991"] {
            let value = try JSON.parse(text).anyValue
            #expect(value as? Decimal == Decimal(string: text), "\(text)")
            #expect(value as? NSDecimalNumber == NSDecimalNumber(string: text), "\(text)")
        }
        #endif
        // The decimal of each number, whatever the cast gives.
        #expect(try JSON.parse("19.99").decimalValue == Decimal(string: "19.99"))
    }

    @Test("Every number can be hashed, alone, in a set and inside of other values")
    func hashing() throws {
        var numbers: Set<NSNumber> = []
        var parts: Set<NSDictionary> = []
        for row in Self.rows {
            let dictionary = try #require(JSON.parse("{\"a\":\(row.text),\"l\":[\(row.text)]}").dictionaryValue)
            let number = try #require(dictionary["a"] as? NSNumber)
            #expect(number.hash == (dictionary["l"] as? [NSNumber])?.first?.hash)
            numbers.insert(number)
            parts.insert(dictionary as NSDictionary)
        }
        let different = Set(Self.rows.map { Double($0.text) })
        #expect(numbers.count >= different.count)
        #expect(parts.count >= different.count)
        #expect(numbers.contains(25))
    }

    @Test("Collections of numbers cast as a whole")
    func collections() throws {
        let json = try JSON.parse(#"{"d":{"a":25,"b":2.5,"c":0.1},"i":[1,2.0],"u":[18446744073709551615]}"#)
        let dictionary = json.dictionaryValue
        #expect(dictionary?["d"] as? [String: Double] == ["a": 25, "b": 2.5, "c": 0.1])
        #expect(dictionary?["d"] as? [String: NSNumber] == ["a": 25, "b": 2.5, "c": 0.1])
        #expect(dictionary?["d"] as? [String: Int] == nil)
        #expect(dictionary?["i"] as? [Int] == [1, 2])
        #expect(dictionary?["i"] as? [Double] == [1, 2])
        #expect(dictionary?["u"] as? [UInt64] == [.max])
    }

    @Test("Booleans do not cast to numbers, and only 0 and 1 cast to booleans")
    func booleans() throws {
        for (text, value) in [("true", true), ("false", false)] {
            let found = try JSON.parse(text).anyValue
            #expect(found as? Bool == value)
            #expect(found as? Int == nil)
            #expect(found as? Double == nil)
            #expect(try JSON(found) == .bool(value))
        }
        #expect(try JSON.parse("25").anyValue as? Bool == nil)
        #expect(try JSON(["a": JSON.parse("1").anyValue]) == ["a": 1])
        #expect(try JSON(["a": NSNumber(value: true), "b": NSNumber(value: 1)]).description == #"{"a":true,"b":1}"#)
    }

    @Test("Serializing handed-out numbers gives the original ones")
    func serialized() throws {
        let text = #"{"a":25,"b":19.99,"c":0.07,"d":9223372036854775807,"e":18446744073709551615,"f":true}"#
        let dictionary = try #require(JSON.parse(text).dictionaryValue)
        let data = try JSONSerialization.data(withJSONObject: dictionary)
        #expect(try JSON.parse([UInt8](data)) == JSON.parse(text))
    }

    @Test("Random numbers keep their value in every cast")
    func random() throws {
        var generator = SplitMix64(seed: 21)
        for _ in 0..<2000 {
            let integer = Int(truncatingIfNeeded: generator.next())
            #expect(JSON.number(JSONNumber(integer)).anyValue as? Int == integer)
            let unsigned = generator.next()
            #expect(JSON.number(JSONNumber(unsigned)).anyValue as? UInt64 == unsigned)
            let cents = Double(generator.next() % 10_000_000) / 100
            #expect(try JSON(cents).anyValue as? Double == cents)
            let double = Double.random(in: -1e6...1e6, using: &generator)
            #expect(try JSON(double).anyValue as? Double == double)
        }
    }
}
