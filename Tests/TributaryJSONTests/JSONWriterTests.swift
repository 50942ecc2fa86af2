import Testing
import TributaryJSON

@Suite struct JSONWriterTests {
    @Test func everyControlCharacter_isEscaped() throws {
        let short: [UInt8: String] = [0x08: "\\b", 0x09: "\\t", 0x0A: "\\n", 0x0C: "\\f", 0x0D: "\\r"]
        for code in UInt8(0)..<0x20 {
            let text = "a" + String(Unicode.Scalar(code)) + "b"
            let hex = String(code, radix: 16)
            let long = "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            #expect(JSON.string(text).description == "\"a\(short[code] ?? long)b\"")
            #expect(try JSON.parse(JSON.string(text).encoded()) == .string(text))
        }
    }

    @Test(
        "Only characters that need an escape are escaped",
        arguments: [
            ("", "\"\""), ("\"", "\"\\\"\""), ("\\", "\"\\\\\""), ("/", "\"/\""), ("\0", "\"\\u0000\""),
            ("\u{7F}", "\"\u{7F}\""),
            ("é", "\"é\""), ("😀", "\"😀\""), ("\u{2028}", "\"\u{2028}\""), ("\r\n", "\"\\r\\n\""),
            ("</script>", "\"</script>\""),
            ("\"\"\"\\\\", "\"\\\"\\\"\\\"\\\\\\\\\""),
        ])
    func escapes(text: String, expected: String) {
        #expect(JSON.string(text).description == expected)
        #expect(JSON.object([text: 1]).description == "{\(expected):1}")
        var buffer: [UInt8] = []
        JSONText.write(text, into: &buffer)
        #expect(buffer == Array(expected.utf8))
    }

    @Test("Strings of every length with special characters read back the same")
    func lengths() throws {
        for length in 0..<40 {
            for place in 0...length {
                let text =
                    String(repeating: "x", count: place) + "\"é\n" + String(repeating: "y", count: length - place)
                #expect(try JSON.parse(JSON.string(text).encoded()) == .string(text))
            }
        }
    }

    @Test func values_areWrittenCompactAndInOrder() {
        let json: JSON = ["b": [1, "two", .null, true, false, [], [:]], "a": 1.5, "c": ["z": -1, "y": 0]]
        #expect(json.description == #"{"b":[1,"two",null,true,false,[],{}],"a":1.5,"c":{"z":-1,"y":0}}"#)
    }

    @Test("Writing a value appends to the buffer")
    func writing() {
        var buffer = Array("x".utf8)
        JSON.null.write(into: &buffer)
        (["a": 1] as JSONObject).write(into: &buffer)
        JSONNumber(-12).write(into: &buffer)
        #expect(buffer == Array(#"xnull{"a":1}-12"#.utf8))
    }

    @Test("A document of more than ten megabytes is written and reads back the same")
    func longDocument() throws {
        let long = String(repeating: "0123456789", count: 10_000)
        let json: JSON = .array((0..<50).map { [.string(long), .number(JSONNumber($0)), .string("\n\(long)")] })
        #expect(json.encoded().count > 10_000_000)
        #expect(try JSON.parse(json.encoded()) == json)
    }

    @Test func integersOfEveryLength_areWritten() throws {
        var value: UInt64 = 1
        for _ in 0..<20 {
            #expect(JSONNumber(value).description == "\(value)")
            #expect(JSONNumber(value - 1).description == "\(value - 1)")
            value = value.multipliedReportingOverflow(by: 10).partialValue
        }
    }

    /// Strings are copied in words, whose last one overlaps the one before: each length and each place counts.
    @Test("Strings of every length are written exactly, with special characters at every place")
    func exactLengths() throws {
        for length in 0...40 {
            let plain = String("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH".prefix(length))
            #expect(JSON.string(plain).encoded() == Array("\"\(plain)\"".utf8))
            for place in 0..<length {
                for special in ["\"", "\\", "\n", "\u{0}", "\u{1F}", "é", "\u{7F}"] {
                    var text = Array(plain).map(String.init)
                    text[place] = special
                    let written = JSON.array([.string(text.joined()), .string("next")]).encoded()
                    #expect(try JSON.parse(written) == [.string(text.joined()), "next"])
                    #expect(!written.contains { $0 < 0x20 })
                }
            }
        }
    }
}
