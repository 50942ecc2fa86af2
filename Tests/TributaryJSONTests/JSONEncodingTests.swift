import Foundation
import Testing
import TributaryJSON

@Suite struct JSONEncodingTests {
    private struct Everything: Encodable {
        var int8 = Int8.min, int16 = Int16.min, int32 = Int32.min, int64 = Int64.min, int = Int.max
        var uint8 = UInt8.max, uint16 = UInt16.max, uint32 = UInt32.max, uint64 = UInt64.max, uint = UInt.max
        var float: Float = 0.1, double = 0.1, bool = true, string = "s"
        var some: Int? = 1, none: Int?
        var date = Date(timeIntervalSince1970: 1.5), url = URL(string: "https://example.org/a?b=c")
        var data = Data([0, 255]), decimal = Decimal(string: "1234567890.123456789")
        var uuid = UUID(uuidString: "00000000-0000-0000-0000-0000000000FF")
        var array = [1, 2], empty: [String] = [], nested = [[1], []], json: JSON = ["z": 1, "a": 1.50]
        var kind = Kind.second, raw = Raw.two
    }

    private enum Kind: String, Encodable { case first, second }
    private enum Raw: Int, Encodable { case one = 1, two }

    @Test("Members of every common type have their JSON form, in the order of declaration")
    func types() throws {
        let expected =
            #"{"int8":-128,"int16":-32768,"int32":-2147483648,"int64":-9223372036854775808,"int":9223372036854775807,"#
            + #""uint8":255,"uint16":65535,"uint32":4294967295,"uint64":18446744073709551615,"#
            + #""uint":18446744073709551615,"float":0.1,"double":0.1,"bool":true,"string":"s","some":1,"#
            + #""date":"1970-01-01T00:00:01.500Z","url":"https://example.org/a?b=c","data":"AP8=","#
            + #""decimal":1234567890.123456789,"uuid":"00000000-0000-0000-0000-0000000000FF","array":[1,2],"empty":[],"#
            + #""nested":[[1],[]],"json":{"z":1,"a":1.5},"kind":"second","raw":2}"#
        #expect(try JSON(with: Everything()).description == expected)
    }

    @Test("Values of every common type are encoded alone and in arrays")
    func alone() throws {
        #expect(try JSON(with: 1) == 1)
        #expect(try JSON(with: "s") == "s")
        #expect(try JSON(with: true) == true)
        #expect(try JSON(with: 1.5) == 1.5)
        #expect(try JSON(with: Float(0.1)).description == "0.1")
        #expect(try JSON(with: Int?.none) == .null)
        #expect(try JSON(with: Int?.some(1)) == 1)
        #expect(try JSON(with: [1, nil, 3]) == [1, .null, 3])
        #expect(try JSON(with: [Float(0.1), 2]).description == "[0.1,2]")
        #expect(try JSON(with: [Date(timeIntervalSince1970: 0)]) == ["1970-01-01T00:00:00.000Z"])
        #expect(try JSON(with: [Data([1])]) == ["AQ=="])
        #expect(try JSON(with: [URL(string: "a:b")]) == ["a:b"])
        #expect(try JSON(with: [Decimal(5)]).description == "[5]")
        #expect(try JSON(with: [UInt64.max]).description == "[18446744073709551615]")
        #expect(try JSON(with: [true, false]) == [true, false])
        #expect(try JSON(with: [JSON.null, 1]) == [.null, 1])
        #expect(try JSON(with: [Int8(1)] as Set) == [1])
        #expect(try JSON(with: Kind.first) == "first")
        #expect(try JSON(with: CGFloat(2.5)) == 2.5)
    }

    @Test("Integers of 128 bits are encoded and decoded exactly")
    func wideIntegers() throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        struct Wide: Codable, Equatable {
            var a = Int128.max, b = [UInt128.max], c = [Int128.min: UInt128(7)]
        }
        let expected =
            #"{"a":170141183460469231731687303715884105727,"b":[340282366920938463463374607431768211455],"#
            + #""c":[-170141183460469231731687303715884105728,7]}"#
        let json = try JSON(with: Wide())
        #expect(json.description == expected)
        #expect(try json.decode(Wide.self) == Wide())
        #expect(try JSON(with: [Int128(5)]).decode([Int8].self) == [5])
        #expect(throws: DecodingError.self) { try JSON.parse("1e40").decode(Int128.self) }
    }

    @Test(arguments: [
        "0", "-1", "0.1", "1.5", "-0.000001", "123456789012345678901234567890.12345678", "18446744073709551616",
    ])
    func decimals_areExact(text: String) throws {
        let decimal = try #require(Decimal(string: text))
        #expect(try JSON(with: decimal).description == text)
        #expect(try JSON(with: decimal) == JSON.parse(text))
    }

    @Test("The largest and the smallest decimals are encoded as numbers")
    func extremeDecimals() throws {
        let extremes = [Decimal.greatestFiniteMagnitude, .leastNonzeroMagnitude, -.greatestFiniteMagnitude]
        for decimal in extremes {
            let json = try JSON(with: decimal)
            #expect(try JSON.parse(json.description) == json)
            #expect(json.numberValue != nil)
        }
    }

    // MARK: Dictionaries

    @Test func dictionaries_areOrderedByKey() throws {
        let names = (0..<40).map { "k\($0)" }
        let dictionary = Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })
        #expect(try JSON(with: dictionary).objectValue?.keys == names.sorted())
        #expect(try JSON(with: ["o": ["b": 1, "a": 2]]).description == #"{"o":{"a":2,"b":1}}"#)
        #expect(try JSON(with: ["a": Int?.none]).description == #"{"a":null}"#)
    }

    @Test("Dictionaries whose keys are not strings are encoded as the standard library does")
    func otherKeys() throws {
        #expect(try JSON(with: [1: "a"]).description == #"{"1":"a"}"#)
        #expect(try JSON(with: [1.5: "a"]).description == #"[1.5,"a"]"#)
        #expect(try JSON(with: [Kind.first: 1]).description == #"["first",1]"#)
        #expect(try JSON(with: [Date(timeIntervalSince1970: 0): true]) == ["1970-01-01T00:00:00.000Z", true])
    }

    // MARK: Containers

    private struct Manual: Encodable {
        let write: @Sendable (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try write(encoder) }
    }

    private enum Key: String, CodingKey { case a, b, c, d, list }

    @Test("Nested containers stand in the order in which they were requested")
    func nestedContainers() throws {
        let value = Manual { encoder in
            var container = encoder.container(keyedBy: Key.self)
            var inner = container.nestedContainer(keyedBy: Key.self, forKey: .b)
            try container.encode(1, forKey: .a)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try inner.encode("late", forKey: .c)
            try list.encode(1)
            var deep = list.nestedUnkeyedContainer()
            var object = list.nestedContainer(keyedBy: Key.self)
            try list.encodeNil()
            try deep.encode(2.5)
            try object.encode(true, forKey: .d)
            try container.encodeNil(forKey: .d)
        }
        let expected = #"{"b":{"c":"late"},"a":1,"list":[1,[2.5],{"d":true},null],"d":null}"#
        #expect(try JSON(with: value).description == expected)
    }

    @Test("A container that is requested twice keeps its members and gets more")
    func repeatedContainer() throws {
        let value = Manual { encoder in
            for (key, number) in [(Key.a, 1), (.b, 2)] {
                var outer = encoder.container(keyedBy: Key.self)
                var inner = outer.nestedContainer(keyedBy: Key.self, forKey: .c)
                try inner.encode(number, forKey: key)
                var list = outer.nestedUnkeyedContainer(forKey: .list)
                try list.encode(number)
            }
        }
        #expect(try JSON(with: value) == ["c": ["a": 1, "b": 2], "list": [1, 2]])
    }

    @Test func aKeyWrittenTwice_keepsItsLastValue() throws {
        let value = Manual { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .a)
            var inner = container.nestedContainer(keyedBy: Key.self, forKey: .a)
            try inner.encode(2, forKey: .b)
            var other = container.nestedContainer(keyedBy: Key.self, forKey: .c)
            try other.encode(3, forKey: .d)
            try container.encode("last", forKey: .c)
        }
        #expect(try JSON(with: value).description == #"{"a":{"b":2},"c":"last"}"#)
    }

    private class Animal: Encodable {
        let legs = 4
        private enum CodingKeys: String, CodingKey { case legs }
    }

    private final class Dog: Animal {
        let name = "Rex"
        private enum CodingKeys: String, CodingKey { case name, owner }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try super.encode(to: container.superEncoder())
            try super.encode(to: container.superEncoder(forKey: .owner))
        }
    }

    @Test("A super encoder writes under its key")
    func superEncoders() throws {
        #expect(try JSON(with: Dog()) == ["name": "Rex", "super": ["legs": 4], "owner": ["legs": 4]])
        let list = Manual { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(1)
            try Animal().encode(to: container.superEncoder())
            #expect(container.count == 2)
        }
        #expect(try JSON(with: list) == [1, ["legs": 4]])
    }

    @Test("A type can encode keys of its own and a JSON object into one object")
    func jsonBesideKeys() throws {
        let value = Manual { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .a)
            try JSON.parse(#"{"z":1.50,"y":1e400}"#).encode(to: encoder)
        }
        #expect(try JSON(with: value).description == #"{"a":1,"z":1.50,"y":1e400}"#)
        #expect(try JSON(with: Manual { try JSON.parse("[1.50]").encode(to: $0) }).description == "[1.50]")
        #expect(try JSON(with: Manual { try JSON.parse("1.50").encode(to: $0) }).description == "1.50")
        #expect(try JSON(with: Manual { try JSON.object([:]).encode(to: $0) }) == [:])
    }

    @Test func aValueThatWritesNothing_isAnEmptyObject() throws {
        #expect(try JSON(with: Manual { _ in }) == [:])
        #expect(try JSON(with: [Manual { _ = $0.unkeyedContainer() }]) == [[]])
        #expect(try JSON(with: [Manual { _ = $0.container(keyedBy: Key.self) }]) == [[:]])
    }

    @Test("A value that requests two kinds of container is an error")
    func mixedContainers() {
        let mixed = Manual { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .a)
            var list = encoder.unkeyedContainer()
            try list.encode(2)
        }
        let scalar = Manual { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(1)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .a)
        }
        for value in [mixed, scalar] {
            let error = #expect(throws: JSONError.self) { try JSON(with: ["inside": value]) }
            #expect(error?.reason == .unsupportedType)
        }
    }

    @Test("The coding path of an encoder is the path of the value")
    func codingPath() throws {
        struct Outer: Encodable {
            let list: [[String: Manual]]
        }
        let value = Outer(list: [
            [
                "key": Manual { encoder in
                    #expect(encoder.codingPath.map(\.stringValue) == ["list", "0", "key"])
                    let container = encoder.container(keyedBy: Key.self)
                    #expect(container.codingPath.count == 3)
                    var outer = encoder.container(keyedBy: Key.self)
                    var single = outer.superEncoder(forKey: .a).singleValueContainer()
                    #expect(single.codingPath.map(\.stringValue) == ["list", "0", "key", "a"])
                    try single.encode(1)
                }
            ]
        ])
        #expect(try JSON(with: value) == ["list": [["key": ["a": 1]]]])
    }

    @Test("An error that a value throws reaches the caller")
    func ownErrors() {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) { try JSON(with: [Manual { _ in throw Refusal() }]) }
    }

    // MARK: Numbers that JSON has not

    private struct NonFinite: Encodable {
        var a = Double.infinity, b = -Float.infinity, c = [Double.nan], d = ["e": Decimal.nan], f: Float? = .nan
    }

    @Test("Encoded numbers that are not finite become 0 or null, or are refused, as the caller chose")
    func nonFinite() throws {
        #expect(try JSON(with: NonFinite()) == ["a": 0, "b": 0, "c": [0], "d": ["e": 0], "f": 0])
        #expect(
            try JSON(with: NonFinite(), nonFinite: .null) == [
                "a": .null, "b": .null, "c": [.null], "d": ["e": .null], "f": .null,
            ])
        let values: [any Encodable] = [
            Double.nan, [Double.infinity], ["a": Float.infinity], Decimal.nan, CGFloat.infinity, NonFinite(),
            [Float.nan], Optional(Double.nan),
            Manual {
                var single = $0.singleValueContainer(); try single.encode(Float.nan)
            },
        ]
        for value in values {
            let error = #expect(throws: JSONError.self) { try JSON(with: value, nonFinite: .refuse) }
            #expect(error?.reason == .nonFinite)
            for rule in [NonFiniteNumbers.zero, .null] {
                let json = try JSON(with: value, nonFinite: rule)
                #expect(try JSON.parse(json.encoded()) == json)
            }
        }
    }

    // MARK: Depth

    private final class Chain: Encodable {
        let next: Chain?
        init(_ length: Int) { next = length > 1 ? Chain(length - 1) : nil }
    }

    private final class Loop: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(self, forKey: .a)
        }
    }

    private struct NestedLists: Encodable {
        let depth: Int
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for _ in 1..<depth { container = container.nestedUnkeyedContainer() }
            try container.encode(1)
        }
    }

    @Test("Encoding has the parser's bound of depth")
    func depth() throws {
        #expect(try JSON.parse(JSON(with: Chain(128)).encoded())["next"] != nil)
        #expect(try JSON.parse(JSON(with: NestedLists(depth: 128)).encoded()) == JSON(with: NestedLists(depth: 128)))
        let tooDeep: [any Encodable] = [
            Chain(129), Loop(), NestedLists(depth: 129), NestedLists(depth: 5000), [Chain(128)],
        ]
        for value in tooDeep {
            let error = #expect(throws: JSONError.self) { try JSON(with: value) }
            #expect(error?.reason == .tooDeep)
        }
    }

    // MARK: Other encoders

    @Test("Foundation's encoder writes a JSON value exactly, or throws")
    func otherEncoders() throws {
        let json: JSON = ["a": [1, -1.5, "s", true, .null], "b": ["c": 18_446_744_073_709_549_568.0], "d": 1]
        let text = try JSONEncoder().encode(json)
        #expect(try JSON.parse(Array(text)) == json)
        let exact = try JSON.parse("[9223372036854775807,18446744073709551615,-9223372036854775808]")
        #expect(try JSON.parse(Array(JSONEncoder().encode(exact))) == exact)
        let huge = try JSON.parse("1e400")
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(huge) }
    }
}
