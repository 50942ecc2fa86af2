import Foundation
import Testing
import TributaryJSON

@Suite struct JSONDecodingTests {
    private struct Everything: Codable, Equatable {
        var int8 = Int8.min, int16 = Int16.max, int32 = Int32.min, int64 = Int64.min, int = Int.max
        var uint8 = UInt8.max, uint16 = UInt16.max, uint32 = UInt32.max, uint64 = UInt64.max, uint = UInt.max
        var float: Float = 0.1, double = 0.1, bool = true, string = "s\n😀"
        var some: Int? = 1, none: Int?
        var date = Date(timeIntervalSince1970: 1_795_225_277.439), url = URL(string: "https://example.org/a?b=c")
        var data = Data([0, 255]), decimal = Decimal(string: "1234567890.123456789")
        var array: [Int?] = [1, nil], nested = [[1], []], json: JSON = ["z": 1, "a": 1.5]
        var byName = ["b": 1, "a": 2], byNumber = [7: "seven"], byKind = [Kind.first: 1],
            shape = Shape.circle(radius: 2)
    }

    private enum Kind: String, Codable { case first }
    private enum Shape: Codable, Equatable {
        case circle(radius: Double)
        case nothing
    }

    @Test("A value with every common type is encoded and decoded without a change")
    func types() throws {
        let value = Everything()
        let json = try JSON(with: value)
        let read = try JSON.parse(json.encoded())
        #expect(read == json)
        #expect(try json.decode(Everything.self) == value)
        #expect(try read.decode(Everything.self) == value)
        #expect(try JSON(with: read.decode(Everything.self)) == json)
    }

    @Test("Every finite Float is encoded and decoded without a change")
    func floats() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<5000 {
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            guard value.isFinite else { continue }
            let json = try JSON.parse(JSON(with: value).encoded())
            #expect(try json.decode(Float.self).bitPattern == value.bitPattern)
        }
    }

    @Test("Single values without a container are decoded")
    func scalars() throws {
        #expect(try JSON.number(JSONNumber(1)).decode(Int.self) == 1)
        #expect(try JSON.string("x").decode(String.self) == "x")
        #expect(try JSON.bool(true).decode(Bool.self))
        #expect(try JSON.null.decode(Int?.self) == nil)
        #expect(try JSON.parse("1e2").decode(Int8.self) == 100)
        #expect(try JSON.parse("1.0").decode(UInt64.self) == 1)
        #expect(try JSON.parse("[1.50]").decode([JSON].self).description == "[1.50]")
        #expect(try JSON.string("first").decode(Kind.self) == .first)
        #expect(try JSON.parse("0.1").decode(Decimal.self) == Decimal(string: "0.1"))
        #expect(try JSON.parse(#"{"a":[1,2]}"#).decode([String: [Int]].self) == ["a": [1, 2]])
    }

    private enum Key: String, CodingKey { case a, b, c }

    private struct Manual: Decodable {
        let text: String
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            var list = try container.nestedUnkeyedContainer(forKey: .a)
            var parts: [String] = []
            while !list.isAtEnd {
                if try list.decodeNil() {
                    parts.append("null")
                } else if let number = try? list.decode(Int.self) {
                    parts.append("\(number)")
                } else if var inner = try? list.nestedUnkeyedContainer() {
                    parts.append("[\(try inner.decode(Bool.self))]")
                } else {
                    let inner = try list.nestedContainer(keyedBy: Key.self)
                    parts.append(try inner.decode(String.self, forKey: .b))
                }
            }
            let inner = try container.nestedContainer(keyedBy: Key.self, forKey: .b)
            parts.append(try inner.decode(Float.self, forKey: .c).description)
            parts.append("\(container.contains(.c)) \(try container.decodeNil(forKey: .a)) \(container.allKeys.count)")
            parts.append(try container.superDecoder(forKey: .b).container(keyedBy: Key.self).allKeys[0].stringValue)
            parts.append(try String(container.superDecoder().singleValueContainer().decodeNil()))
            text = parts.joined(separator: " ")
        }
    }

    @Test("A type that decodes itself reads keyed, unkeyed and nested containers")
    func containers() throws {
        let json = try JSON.parse(#"{"a":[1,null,[true],{"b":"x"}],"b":{"c":0.1},"other":1}"#)
        #expect(try json.decode(Manual.self).text == "1 null [true] x 0.1 false false 2 c true")
    }

    private struct Item: Decodable {
        let list: [Inner]
        struct Inner: Decodable { let value: Int }
    }

    @Test("A decoding error has the path of the value")
    func errors() throws {
        for text in [#"{"list":[{"value":1},{"value":"x"}]}"#, #"{"list":[{"value":1},{"value":1.5}]}"#] {
            do {
                _ = try JSON.parse(text).decode(Item.self)
                Issue.record("should not decode")
            } catch DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context) {
                #expect(context.codingPath.map(\.stringValue) == ["list", "1", "value"])
            }
        }
        do {
            _ = try JSON.parse(#"{"list":[{}]}"#).decode(Item.self)
            Issue.record("should not decode")
        } catch DecodingError.keyNotFound(let key, let context) {
            #expect(key.stringValue == "value")
            #expect(context.codingPath.map(\.stringValue) == ["list", "0"])
        }
    }

    @Test("A value that does not fit its type is a decoding error")
    func mismatches() throws {
        let cases: [(String, any Decodable.Type)] = [
            ("1", String.self), ("\"1\"", Int.self), ("1", Bool.self), ("true", Int.self), ("null", Int.self),
            ("256", UInt8.self), ("-1", UInt.self), ("1.5", Int.self), ("9223372036854775808", Int64.self),
            ("18446744073709551616", UInt64.self), ("1e400", Double.self), ("1e300", Float.self), ("{}", [Int].self),
            ("[]", [String: Int].self), ("\"not a date\"", Date.self), ("1", Date.self), ("\"***\"", Data.self),
            ("\"\"", URL.self), ("1", URL.self), ("\"1\"", Decimal.self), ("\"other\"", Kind.self), ("[1]", Kind.self),
            ("\"x\"", Double.self), ("[\"x\"]", [Int].self), ("[null]", [Int].self),
            ("\"2026-02-30T00:00:00Z\"", Date.self),
        ]
        for (text, type) in cases {
            let json = try JSON.parse(text)
            #expect(throws: DecodingError.self, "\(text) as \(type)") { try json.decode(type) }
        }
    }

    @Test("codableValue is nil for a value of another type")
    func codableValue() {
        let fitting: Int? = JSON.number(JSONNumber(1)).codableValue()
        #expect(fitting == 1)
        let other: Int? = JSON.string("x").codableValue()
        #expect(other == nil)
    }

    @Test("Decoding beyond the end of an array is an error")
    func endOfArray() {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                _ = try list.decode(Int.self)
                _ = try list.decode(Int.self)
            }
        }
        #expect(throws: DecodingError.self) { try JSON.array([1]).decode(Pair.self) }
        #expect(throws: Never.self) { try JSON.array([1, 2]).decode(Pair.self) }
    }

    @Test(
        "Foundation's decoder reads the same JSON value as the parser",
        arguments: [
            "null", "true", "1", "-1.5", "\"s\"", "[1,[2],{}]", "{\"a\":{\"b\":[null]}}", "18446744073709551615",
        ])
    func otherDecoders(text: String) throws {
        let json = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
        #expect(try json == JSON.parse(text))
    }
}
