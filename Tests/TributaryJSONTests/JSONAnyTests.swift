import Foundation
import Testing
import TributaryJSON

@Suite struct JSONAnyTests {
    @Test("Values of Swift's types become JSON values")
    func swiftTypes() throws {
        #expect(try JSON("s" as Any) == "s")
        #expect(try JSON("abc".dropFirst() as Any) == "bc")
        #expect(try JSON(true as Any) == true)
        #expect(try JSON(1 as Any) == 1)
        #expect(try JSON(0 as Any) == 0)
        #expect(try JSON(UInt8(1) as Any) == 1)
        #expect(try JSON(Int8(-1) as Any) == -1)
        #expect(try JSON(UInt64.max as Any).description == "18446744073709551615")
        #expect(try JSON(1.0 as Any).description == "1")
        #expect(try JSON(Float(0.1) as Any).description == "0.1")
        #expect(try JSON(CGFloat(0.5) as Any) == 0.5)
        #expect(try JSON(Decimal(string: "0.1234567890123456789") as Any).description == "0.1234567890123456789")
        #expect(try JSON(Date(timeIntervalSince1970: 0) as Any) == "1970-01-01T00:00:00.000Z")
        #expect(try JSON(Data([255]) as Any) == "/w==")
        #expect(try JSON(URL(string: "a:b") as Any) == "a:b")
        #expect(try JSON(UUID(uuidString: "00000000-0000-0000-0000-0000000000FF") as Any).stringValue?.last == "F")
        #expect(try JSON(JSON.array([1]) as Any) == [1])
        #expect(try JSON(["k": [1, 2]] as [String: [Int]] as Any) == ["k": [1, 2]])
        #expect(try JSON([1, "a", nil] as [Any?] as Any) == [1, "a", .null])
        #expect(try JSON(AnyHashable(true) as Any) == true)
        #expect(try JSON(AnyHashable(1) as Any) == 1)
        #expect(try JSON(["a" as AnyHashable: 1] as Any) == ["a": 1])
    }

    @Test("An NSNumber becomes the boolean, the integer or the decimal that it was made from")
    func foundationNumbers() throws {
        let cases: [(NSNumber, String)] = [
            (NSNumber(value: true), "true"), (NSNumber(value: false), "false"), (NSNumber(value: 1), "1"),
            (NSNumber(value: 0), "0"), (NSNumber(value: Int8(1)), "1"), (NSNumber(value: Int8(0)), "0"),
            (NSNumber(value: UInt8(200)), "200"), (NSNumber(value: Int.min), "-9223372036854775808"),
            (NSNumber(value: UInt64.max), "18446744073709551615"), (NSNumber(value: UInt32.max), "4294967295"),
            (NSNumber(value: 1.0), "1"), (NSNumber(value: 0.1), "0.1"), (NSNumber(value: Float(0.1)), "0.1"),
            (NSDecimalNumber(string: "0.1234567890123456789"), "0.1234567890123456789"),
        ]
        for (number, text) in cases {
            #expect(try JSON(number as Any).description == text)
            #expect(try JSON(["n": [number]] as [String: Any]).description == "{\"n\":[\(text)]}")
        }
    }

    @Test("Values of Foundation's types become JSON values")
    func foundationTypes() throws {
        #expect(try JSON(NSNull() as Any) == .null)
        #expect(try JSON(NSString(string: "s") as Any) == "s")
        #expect(try JSON(NSArray(array: [1, "a"]) as Any) == [1, "a"])
        #expect(try JSON(NSDictionary(dictionary: ["a": NSNumber(value: true)]) as Any) == ["a": true])
        #expect(try JSON(NSDate(timeIntervalSince1970: 0) as Any) == "1970-01-01T00:00:00.000Z")
        #expect(try JSON(NSData(data: Data([255])) as Any) == "/w==")
        #expect(try JSON(NSURL(string: "a:b") as Any) == "a:b")
        #expect(try JSON(NSUUID(uuidString: "00000000-0000-0000-0000-0000000000FF") as Any).stringValue?.count == 36)
    }

    @Test("Optionals are unwrapped at any depth, and nil becomes null")
    func optionals() throws {
        let dictionary: [String: Any?] = [
            "none": nil, "some": 1, "flag": Optional(true), "text": Optional("x"), "deep": Optional(Optional(2)) as Any,
            "deepNone": Optional(Optional<Int>.none) as Any, "list": [Optional(1), nil] as [Int?],
            "null": Optional<NSNull>(NSNull()),
        ]
        let expected: JSON = [
            "deep": 2, "deepNone": .null, "flag": true, "list": [1, .null], "none": .null, "null": .null, "some": 1,
            "text": "x",
        ]
        let json = try JSON(dictionary as Any)
        #expect(json == expected)
        #expect(json.objectValue?.keys == dictionary.keys.sorted())
        #expect(try JSON(dictionary as [String: Any]) == expected)
        #expect(try JSON(Any?.none as Any) == .null)
        #expect(try JSON(Int??.some(nil) as Any) == .null)
    }

    @Test("A dictionary that is nil becomes no JSON value")
    func nilDictionary() throws {
        #expect(try JSON(nilOrObject: nil) == nil)
        #expect(try JSON(nilOrObject: ["a": 1]) == ["a": 1])
    }

    private struct Plain {}
    private struct Fine: Encodable { let a = 1 }

    @Test("Encodable values are encoded alone, in lists and in dictionaries")
    func encodables() throws {
        #expect(try JSON(["f": Fine(), "l": [Fine()]] as [String: Any]) == ["f": ["a": 1], "l": [["a": 1]]])
    }

    @Test("The error of a type without a JSON form has the type and its place")
    func unknownTypes() {
        let values: [Any] = [
            Plain(), [Plain()], ["a": ["b": [1, Plain()]]], { 1 }, (1, 2), Optional(Plain()) as Any,
            [Plain(), 1][...], NSError(domain: "a", code: 1),
        ]
        for value in values {
            let error = #expect(throws: JSONError.self) { try JSON(value) }
            #expect(error?.reason == .unsupportedType)
        }
        let error = #expect(throws: JSONError.self) { try JSON(["a": ["b": [1, Plain()]]] as [String: Any]) }
        #expect(error?.description == "a: b: 1: a value of type Plain has no JSON form")
    }

    private enum Size: String { case small }
    private enum Level: Int { case high = 3 }
    private struct Flags: OptionSet { let rawValue: Int }

    @Test("Characters, sets, ranges, enumerations and option sets have a JSON form")
    func rarerTypes() throws {
        let cases: [(Any, JSON)] = [
            (Character("é"), "é"), (Unicode.Scalar("x"), "x"), ([1, 2, 3][1...], [2, 3]),
            (["a", 1][...] as Any, ["a", 1]),
            (ContiguousArray<Any>([1, "a"]), [1, "a"]), (Set([3]), [3]), (Set(["b", "a"]), ["a", "b"]),
            (Set<Character>(["b", "a"]), ["a", "b"]), (NSSet(array: ["a"]), ["a"]), (1..<3, [1, 3]), (1...3, [1, 3]),
            (JSONObject(["b": 1]), ["b": 1]), ([JSONObject(["b": 1])], [["b": 1]]), (Size.small, "small"),
            (Level.high, 3),
            (Flags(rawValue: 5), 5), (AnyHashable(Character("x")), "x"), (AnyHashable(Size.small), "small"),
            ([1: "a"], ["1": "a"]), ([Size.small: 1], ["small": 1]),
            ([1 as AnyHashable: 1, "b": 2], ["1": 1, "b": 2]),
            ([Character("k"): Character("v")], ["k": "v"]), (Optional(Character("x")) as Any, "x"),
            (Optional([1, 2][...]) as Any, [1, 2]), ("abc".unicodeScalars.first as Any, "a"), ("ab"[...], "ab"),
        ]
        for (value, json) in cases { #expect(try JSON(value) == json, "\(type(of: value))") }
    }

    @Test("Values without a JSON form are left out and listed, and the others stay")
    func badValues() throws {
        let value: [String: Any] = [
            "kept": 1, "tuple": (1, 2), "error": NSError(domain: "a", code: 1),
            "list": [1, Plain(), ["deep": [Plain(), "x"], "fine": true]] as [Any], "slice": [Plain(), 2][...] as Any,
            "keys": [1: 1, (Data([1])): 2, NSNull(): 3] as [AnyHashable: Int],
        ]
        var leftOut: [LeftOutValue] = []
        let json = JSON.converted(value, leftOut: &leftOut)
        let expected: JSON = [
            "kept": 1, "list": [1, ["deep": ["x"], "fine": true]], "slice": [2], "keys": ["1": 1, "AQ==": 2],
        ]
        #expect(json == expected)
        let places = leftOut.map { $0.path.joined(separator: ".") }
        #expect(places.sorted() == ["error", "keys.<NSNull>", "list.1", "list.2.deep.0", "slice.0", "tuple"])
        #expect(leftOut.contains { $0.description == "tuple: a value of type (Int, Int) has no JSON form" })
    }

    @Test("A value that is nested too deep is left out, and its neighbours stay")
    func tooDeep() {
        let deep = (1..<200).reduce([1] as Any) { inner, _ in [inner] }
        var leftOut: [LeftOutValue] = []
        let json = JSON.converted(["deep": deep, "kept": 1] as [String: Any], leftOut: &leftOut)
        #expect(json?["kept"] == 1)
        #expect(leftOut.map(\.path.first) == ["deep"])
    }

    @Test("Collections of Foundation have the JSON form of Swift's")
    func foundation() throws {
        let dictionary = NSMutableDictionary()
        dictionary["text"] = "x"
        dictionary["flag"] = true
        dictionary["whole"] = 1
        dictionary["part"] = 1.5
        dictionary["none"] = NSNull()
        dictionary["date"] = Date(timeIntervalSince1970: 0)
        dictionary["url"] = URL(string: "https://a.test/b")
        dictionary["data"] = Data([255])
        dictionary["decimal"] = NSDecimalNumber(string: "0.10")
        dictionary["own"] = Own(n: 1)
        dictionary["list"] = NSArray(array: [1, NSDictionary(dictionary: ["a": [true]])])
        dictionary["set"] = NSSet(array: [2, 1])
        let expected: JSON = [
            "data": "/w==", "date": "1970-01-01T00:00:00.000Z", "decimal": 0.1, "flag": true,
            "list": [1, ["a": [true]]], "none": .null, "own": ["n": 1], "part": 1.5, "set": [1, 2], "text": "x",
            "url": "https://a.test/b", "whole": 1,
        ]
        #expect(try JSON(dictionary) == expected)
        #expect(try JSON(["a": dictionary] as [String: Any]) == ["a": expected])
        #expect(try JSON(["a": dictionary]) == ["a": expected])
        #expect(try JSON([dictionary]) == [expected])
        #expect(try JSON([AnyHashable("a"): dictionary]) == ["a": expected])
    }

    private struct Own: Encodable { let n: Int }

    @Test("A collection of Foundation that contains itself is refused, wherever it is")
    func endless() {
        let dictionary = NSMutableDictionary()
        dictionary["self"] = dictionary
        let array = NSMutableArray()
        array.add(array)
        let set = NSMutableSet()
        set.add(array)
        let optional: NSDictionary? = dictionary
        let values: [Any] = [
            dictionary, array, set, optional as Any, [dictionary], ["a": dictionary], ["a": array as Any],
            [AnyHashable("a"): dictionary], ["a": optional as Any], AnyHashable(array), [[array]],
            NSArray(array: [array]), NSDictionary(dictionary: ["a": array]), [1: dictionary], [optional],
            ["a": dictionary as AnyObject], ContiguousArray([array]), [NSString(string: "a"): dictionary],
        ]
        for value in values {
            let error = #expect(throws: JSONError.self) { try JSON(value) }
            #expect(error?.reason == .tooDeep)
            var leftOut: [LeftOutValue] = []
            _ = JSON.converted(["beside": 1, "endless": value] as [String: Any], leftOut: &leftOut)
            #expect(leftOut.count == 1)
        }
        let members: [String: Any] = ["a": dictionary]
        #expect(members[keyPath: "a.self.none"] == nil)
        #expect(members[keyPath: JSONKeyPath("a"), reference: dictionary] != nil)
    }

    @Test("A value that encodes only itself is refused")
    func wrapsItself() {
        final class Box: Encodable {
            var inner: Box?
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(inner)
            }
        }
        let box = Box()
        box.inner = box
        defer { box.inner = nil }
        #expect(throws: JSONError.self) { try JSON(with: box) }
        #expect(throws: JSONError.self) { try JSON(["a": box] as [String: Any]) }
    }

    @Test("A date that a timestamp cannot hold is refused, and in an event only the date is left out")
    func impossibleDates() throws {
        for seconds in [Double.nan, .infinity, -.infinity, 253_402_300_800, -62_167_219_201, 1e300] {
            let date = Date(timeIntervalSince1970: seconds)
            let error = #expect(throws: JSONError.self) { try JSON(date) }
            #expect(error?.reason == .outOfRange)
            #expect(throws: JSONError.self) { try JSON(with: ["a": date]) }
            var leftOut: [LeftOutValue] = []
            let json = JSON.converted(
                ["a": ["date": date, "n": 1] as [String: Any]] as [String: Any], leftOut: &leftOut)
            #expect(json == ["a": ["n": 1]])
            #expect(leftOut.map { $0.path.joined(separator: ".") } == ["a.date"])
        }
        #expect(try JSON(Date(timeIntervalSince1970: 253_402_300_799)) == "9999-12-31T23:59:59.000Z")
        #expect(try JSON(Date(timeIntervalSince1970: -62_167_219_200)) == "0000-01-01T00:00:00.000Z")
    }

    @Test("A text is blank when it is empty or has only white space")
    func blank() {
        for text in ["", " ", "\t\n", "\u{A0}", "\u{2003}\u{3000}"] { #expect(text.isBlank) }
        for text in ["a", " a", "\u{3000}a", "0", "\u{200B}", "é"] { #expect(!text.isBlank) }
    }

    @Test("Numbers that are not finite become 0 or null, or are refused, as the caller chose")
    func nonFinite() throws {
        let values: [Any] = [
            Double.nan, -Double.infinity, Float.infinity, Decimal.nan, NSNumber(value: Double.nan),
            NSNumber(value: Float.infinity), NSDecimalNumber.notANumber, CGFloat.nan,
        ]
        for value in values {
            #expect(try JSON(value) == 0)
            #expect(try JSON(["a": value] as [String: Any], nonFinite: .null) == ["a": .null])
            let error = #expect(throws: JSONError.self) { try JSON([value], nonFinite: .refuse) }
            #expect(error?.reason == .nonFinite)
        }
    }

    @Test("JSON of Swift values has the parser's bound of depth")
    func depth() throws {
        func nested(_ depth: Int) -> Any { (1..<depth).reduce([] as Any) { inner, _ in ["a": inner] } }
        #expect(try JSON.parse(JSON(nested(128)).encoded()) == JSON(nested(128)))
        let error = #expect(throws: JSONError.self) { try JSON(nested(129)) }
        #expect(error?.reason == .tooDeep)
    }

    @Test("JSON values cast to the types of Swift and Foundation")
    func anyValue() throws {
        let json: JSON = ["i": 1, "d": 1.5, "s": "x", "b": true, "n": .null, "l": [1], "o": ["a": 1]]
        let dictionary = try #require(json.dictionaryValue)
        #expect(dictionary["i"] as? Int == 1)
        #expect(dictionary["d"] as? Double == 1.5)
        #expect(dictionary["s"] as? String == "x")
        #expect(dictionary["b"] as? Bool == true)
        #expect(dictionary["n"] is NSNull)
        #expect(dictionary["l"] as? [Int] == [1])
        #expect((dictionary["o"] as? [String: Any])?["a"] as? Int == 1)
        #expect(try JSON(dictionary as Any) == json)
        #expect(try JSON.parse("18446744073709551615").anyValue as? UInt64 == .max)
        #expect(try JSON.parse("1e400").anyValue as? Double == .infinity)
        #expect(try JSON.parse("1.0").anyValue as? Int == 1)
        #expect(JSON.array([1, "a"]).arrayValue?.count == 2)
        #expect(JSON.array([]).dictionaryValue == nil)
        #expect(json.arrayValue == nil)
    }

    @Test func dictionaries_areOrderedByTheBytesOfTheirKeys() throws {
        let keys = [
            "", "a", "a-longer-key-1", "a-longer-key-10", "a-longer-key-2", "aa", "b", "e\u{301}", "z", "é", "😀",
        ]
        let dictionary = Dictionary(uniqueKeysWithValues: keys.filter { $0 != "é" }.map { ($0, 1 as Any) })
        #expect(try JSON(dictionary).objectValue?.keys == keys.filter { $0 != "é" })
    }

    @Test("Typed lists and dictionaries become arrays and objects of their elements")
    func typedCollections() throws {
        let value: [String: Any] = [
            "objects": [["b": 1, "a": "x"], ["c": [1.5]]] as [[String: Any]], "texts": ["x", "y"], "numbers": [1, 2],
        ]
        let text = #"{"numbers":[1,2],"objects":[{"a":"x","b":1},{"c":[1.5]}],"texts":["x","y"]}"#
        #expect(try JSON(value).encoded() == Array(text.utf8))
    }
}
