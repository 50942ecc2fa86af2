import Foundation
import Testing
import TributaryJSON

@Suite struct JSONParserTests {
    // MARK: Valid documents

    private static let valid: [(String, JSON)] = [
        ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("0", 0), ("-1", -1), ("\"\"", ""), ("[]", []),
        ("{}", [:]), (" \t\r\n null \t\r\n ", .null), ("[ ]", []), ("{ }", [:]), ("[[]]", [[]]), ("[{}]", [[:]]),
        ("[1,2]", [1, 2]), ("[ 1 , 2 ]", [1, 2]), ("{\"a\":1,\"b\":[null,true]}", ["a": 1, "b": [.null, true]]),
        ("{ \"a\" : { \"b\" : 1 } }", ["a": ["b": 1]]), ("{\"\":0}", ["": 0]),
    ]

    @Test(arguments: valid)
    func validText_isRead(text: String, expected: JSON) throws {
        #expect(try JSON.parse(text) == expected)
        #expect(try JSON.parse(Array(text.utf8)) == expected)
    }

    @Test(
        "Escapes and text become their characters",
        arguments: [
            ("\\\"", "\""), ("\\\\", "\\"), ("\\/", "/"), ("/", "/"), ("\\b", "\u{8}"), ("\\f", "\u{C}"), ("\\n", "\n"),
            ("\\r", "\r"), ("\\t", "\t"), ("\\u0000", "\0"), ("\\u001F", "\u{1F}"), ("\\u00e9", "é"), ("\\u00E9", "é"),
            ("\\u20AC", "€"), ("\\uD834\\uDD1E", "𝄞"), ("\\ud83d\\ude00!", "😀!"), ("\\uDBFF\\uDFFF", "\u{10FFFF}"),
            ("\u{7F}", "\u{7F}"), ("\u{2028}", "\u{2028}"), ("👩‍👩‍👧", "👩‍👩‍👧"), ("a\\u0062c", "abc"), ("\\\\u0041", "\\u0041"),
            ("\\uFFFF", "\u{FFFF}"), ("\\uFEFF", "\u{FEFF}"),
        ])
    func characters(inside: String, expected: String) throws {
        #expect(try JSON.parse("\"\(inside)\"").stringValue.map { Array($0.utf8) } == Array(expected.utf8))
    }

    @Test(arguments: [
        ("\\uD800", "\u{FFFD}"), ("\\uDC00", "\u{FFFD}"), ("\\uDC00\\uD800", "\u{FFFD}\u{FFFD}"),
        ("\\uD800x", "\u{FFFD}x"), ("\\uD800\\n", "\u{FFFD}\n"), ("\\uD800\\uD834\\uDD1E", "\u{FFFD}𝄞"),
        ("\\uD800\\u0041", "\u{FFFD}A"),
    ])
    func loneSurrogate_becomesReplacementCharacter(inside: String, expected: String) throws {
        #expect(try JSON.parse("\"\(inside)\"") == .string(expected))
    }

    @Test func repeatedKey_keepsFirstPlaceAndLastValue() throws {
        let object = try JSON.parse(#"{"a":1,"b":2,"a":3}"#)
        #expect(object.description == #"{"a":3,"b":2}"#)
    }

    @Test func orderOfKeys_isKept() throws {
        let text = #"{"z":1,"a":2,"m":{"y":3,"b":4}}"#
        #expect(try JSON.parse(text).description == text)
    }

    @Test func keysThatAreOnlyCanonicallyEquivalent_stayTwoMembers() throws {
        let text = "{\"\u{E9}\":1,\"e\u{301}\":2,\"\u{212B}\":3,\"A\u{30A}\":4}"
        let object = try JSON.parse(text)
        #expect(object.description.utf8.elementsEqual(text.utf8))
        #expect(object["e\u{301}"] == 2)
        #expect(object["A\u{30A}"] == 4)
    }

    /// Every length of a string against the eight-byte steps of the scan, with every special byte at every place.
    @Test("Strings of every length are read completely, with special bytes at every place")
    func lengths() throws {
        for length in 0..<40 {
            let plain = String(repeating: "x", count: length)
            #expect(try JSON.parse("\"\(plain)\"") == .string(plain))
            for place in 0..<length {
                for (written, read) in [("\\n", "\n"), ("\\\"", "\""), ("é", "é"), ("\u{7F}", "\u{7F}"), (" ", " ")] {
                    let before = String(repeating: "!", count: place)
                    let after = String(repeating: "~", count: length - place - 1)
                    #expect(try JSON.parse("\"\(before)\(written)\(after)\"") == .string(before + read + after))
                }
            }
        }
    }

    // MARK: Invalid documents

    @Test(arguments: [
        "", " ", "nul", "nulll", "NULL", "True", "tru", "truE", "undefined", "NaN", "Infinity", "-Infinity", "'a'",
        "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1,,2]", "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
        "{,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{\"a\"::1}", "{null:1}", "[1}", "{\"a\":1]",
        "1 2", "null null", "[]x", "// c\n1", "/* c */1", "1,", ":", ",", "\u{FEFF}1", "\u{A0}1", "\u{B}1", "\u{C}1",
        "\"", "\"a", "\"\\", "\"\\\"", "\"\\x41\"", "\"\\a\"", "\"\\u\"", "\"\\u12\"", "\"\\u123\"", "\"\\u12G4\"",
        "\"\\u+123\"", "\"\\u 123\"", "\"\\uD800\\u12\"", "\"\\uD800\\u12G4\"", "\"\\U0041\"", "\"\\'\"",
        "\"a\nb\"", "\"a\tb\"", "\"\0\"", "\"\u{1F}\"", "\"\\\n\"", "\"\\n\u{1}\"",
        "+1", "01", "-01", "00", "-", "--1", "1.", ".1", "-.1", "1.e1", "1e", "1e+", "1E-", "1e1.5", "0x10", "1_000",
        "1e5e5", "1.2.3", "0b1", "1f", "- 1", "１", "\"\\u００４１\"",
    ])
    func invalidText_isRefused(text: String) {
        #expect(throws: JSONError.self) { try JSON.parse(text) }
        let error = #expect(throws: JSONError.self) { try JSON.parse("[1,\(text)") }
        #expect(error?.reason == .malformed)
        #expect(error?.offset.map { (0...text.utf8.count + 3).contains($0) } == true)
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
            [0xF8, 0x88, 0x80, 0x80],
        ] as [[UInt8]])
    func invalidUTF8_isRefusedInValuesAndKeys(bytes: [UInt8]) {
        for before in ["\"", "\"plain text before", "\"\\n", "\"é"] {
            for after in ["\"", "plain text after\"", "\\n\""] {
                let text = Array(before.utf8) + bytes + Array(after.utf8)
                let error = #expect(throws: JSONError.self) { try JSON.parse(text) }
                #expect(error?.reason == .invalidUTF8)
            }
        }
        let key = Array("{\"".utf8) + bytes + Array("\":1}".utf8)
        #expect(throws: JSONError.self) { try JSON.parse(key) }
        #expect(throws: JSONError.self) { try JSON.parse(bytes) }
    }

    @Test("The first and the last scalar of each length in UTF-8 are read")
    func edgeScalars() throws {
        let edges: [Unicode.Scalar] = [
            "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}",
        ]
        for scalar in edges { #expect(try JSON.parse("\"\(scalar)\"") == .string(String(scalar))) }
    }

    @Test func everyTruncationOfADocument_isRefused() throws {
        let text = #" {"key":[1.5e-3,"é\n😀\u00e9\uD83D\uDE00",true,false,null,{"a":{}}],"b":-12}"#
        let bytes = Array(text.utf8)
        _ = try JSON.parse(bytes)
        for length in 0..<bytes.count {
            #expect(throws: JSONError.self, "cut at \(length)") { try JSON.parse(Array(bytes[..<length])) }
        }
    }

    @Test func everyControlCharacter_isRefusedUnescapedAndReadEscaped() throws {
        for code in UInt8(0)..<0x20 {
            #expect(throws: JSONError.self) { try JSON.parse([0x22, code, 0x22]) }
            let hex = String(code, radix: 16)
            let escape = "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            #expect(try JSON.parse("\"\(escape)\"") == .string(String(Unicode.Scalar(code))))
        }
    }

    @Test("A parser error has a reason and the place of its byte")
    func errors() {
        let error = #expect(throws: JSONError.self) { try JSON.parse("[1,x]") }
        #expect(error?.reason == .malformed)
        #expect(error?.offset == 3)
        #expect(error?.description == "a value cannot begin here (line 1, column 4)")
        #expect(error?.reason.description == "malformed")
    }

    // MARK: Limits

    @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
    func depth_isBounded(open: String, close: String) throws {
        func nested(_ depth: Int) -> String {
            String(repeating: open, count: depth - 1) + (open == "[" ? "[]" : "{}")
                + String(repeating: close, count: depth - 1)
        }
        _ = try JSON.parse(nested(128))
        let error = #expect(throws: JSONError.self) { try JSON.parse(nested(129)) }
        #expect(error?.reason == .tooDeep)
        _ = try JSON.parse(nested(3), limits: JSONLimits(depth: 3))
        #expect(throws: JSONError.self) { try JSON.parse(nested(4), limits: JSONLimits(depth: 3)) }
        #expect(throws: JSONError.self) { try JSON.parse("[]", limits: JSONLimits(depth: 0)) }
        _ = try JSON.parse("1", limits: JSONLimits(depth: 0))
        #expect(throws: JSONError.self) { try JSON.parse(nested(513), limits: JSONLimits(depth: .max)) }
    }

    @Test func hostileDepth_isRefusedAtOnce() {
        for open in ["[", "{\"\":", "[{\"\":"] {
            let error = #expect(throws: JSONError.self) { try JSON.parse(String(repeating: open, count: 200_000)) }
            #expect(error?.reason == .tooDeep)
        }
    }

    @Test func size_isBounded() throws {
        _ = try JSON.parse("[1]", limits: JSONLimits(bytes: 3))
        let error = #expect(throws: JSONError.self) { try JSON.parse("[1] ", limits: JSONLimits(bytes: 3)) }
        #expect(error?.reason == .tooLarge)
    }

    @Test("An object of fifty thousand keys is read")
    func manyKeys() throws {
        let members = (0..<50_000).map { "\"k\($0)\":\($0)" }
        let object = try JSON.parse("{\(members.joined(separator: ","))}")
        #expect(object.objectValue?.count == 50_000)
        #expect(object["k49999"] == 49_999)
    }

    /// Orders of combining marks are canonically equivalent, and Swift hashes equivalent strings alike.
    @Test("An object of thousands of canonically equivalent keys is read")
    func equivalentKeys() throws {
        let marks = ["\u{316}", "\u{301}", "\u{31B}", "\u{321}", "\u{334}", "\u{345}", "\u{35C}"]
        let keys = permutations(marks).map { "a" + $0.joined() }
        let members = keys.enumerated().map { "\"\($1)\":\($0)" }
        let object = try JSON.parse("{\(members.joined(separator: ","))}")
        #expect(object.objectValue?.count == 5040)
        #expect(object[keys[5039]] == 5039)
    }

    private func permutations(_ items: [String]) -> [[String]] {
        guard items.count > 1 else { return [items] }
        return items.indices.flatMap { index in
            var rest = items
            let item = rest.remove(at: index)
            return permutations(rest).map { [item] + $0 }
        }
    }

    @Test("The parser reads an unowned buffer, and refuses an empty one")
    func buffers() throws {
        let data = Data(#"{"a":[1]}"#.utf8)
        let json = try data.withUnsafeBytes { try JSON.parse($0) }
        #expect(json == ["a": [1]])
        #expect(throws: JSONError.self) { try JSON.parse(UnsafeRawBufferPointer(start: nil, count: 0)) }
    }

    // MARK: Repeated keys, which are found by fingerprints

    @Test("A key is repeated whether its spelling is plain or escaped")
    func spelledKeys() throws {
        let texts = [
            #"{"a":1,"b":2,"\u0061":3}"#, #"{"\u0061":1,"b":2,"a":3}"#, #"{"\u0061":1,"b":2,"\u0061":3}"#,
            #"{"a":1,"b":2,"a":3}"#,
        ]
        for text in texts { #expect(try JSON.parse(text).encoded() == Array(#"{"a":3,"b":2}"#.utf8), "\(text)") }
    }

    @Test("Keys that differ only in the middle are two members")
    func similarKeys() throws {
        let text = #"{"beginning-A-the end":1,"beginning-B-the end":2,"beginning-A-the end":3}"#
        #expect(try JSON.parse(text).encoded() == Array(#"{"beginning-A-the end":3,"beginning-B-the end":2}"#.utf8))
    }

    @Test(arguments: [3, 40, 48, 49, 50, 200])
    func repeatedKeysOfLargeObjects_keepFirstPlaceAndLastValue(count: Int) throws {
        let names = (0..<count).map { "key number \($0)" }
        let text = "{" + (names + names).enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
        let object = try #require(try JSON.parse(text).objectValue)
        #expect(object.keys == names)
        #expect(object.map(\.value) == (count..<2 * count).map { JSON.number(JSONNumber($0)) })
    }

    @Test func nestedObjects_doNotShareKeys() throws {
        let text = #"{"a":{"a":{"a":1},"b":2},"b":[{"a":3},{"a":4}],"c":5}"#
        #expect(try JSON.parse(text).encoded() == Array(text.utf8))
    }
}
