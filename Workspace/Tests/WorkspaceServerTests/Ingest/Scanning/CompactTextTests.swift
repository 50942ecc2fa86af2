import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("JSON without space between its tokens") struct CompactTextTests {
    private func compact(_ text: String) -> String {
        String(decoding: Array(text.utf8).withUnsafeBufferPointer { CompactText.of($0) }, as: UTF8.self)
    }

    @Test(
        "Space goes between tokens and stays in strings",
        arguments: [
            (#"{ "a b" : [ 1 , "c  d" ] }"#, #"{"a b":[1,"c  d"]}"#),
            ("{\n\t\"a\":\r 1\n}", #"{"a":1}"#),
            (#"[ "\" \\" , " " ]"#, #"["\" \\"," "]"#),
            (
                #"[ "größer als 8 Bytes , nämlich" , "日本 語" , "😀 x" ]"#,
                #"["größer als 8 Bytes , nämlich","日本 語","😀 x"]"#
            ),
            (#""1234567 \\""#, #""1234567 \\""#),
            ("", ""), (" ", ""), (#""""#, #""""#),
        ])
    func texts(text: String, expected: String) {
        #expect(compact(text) == expected)
    }

    @Test("A text that ends inside of a string is copied to its end", arguments: [#""a b"#, #"[ "a\"#, #"["ä ö"#])
    func unended(text: String) {
        #expect(compact(text) == text.replacing("[ ", with: "["))
    }

    @Test("Random texts become what a look at each byte makes of them")
    func random() {
        let palette = Array(#""\ {}[]:,a1ä語"#.utf8) + [0x09, 0x0A, 0x20, 0x20]
        for length in 0..<2_000 {
            let bytes = (0..<length % 90).map { _ in palette.randomElement() ?? 0x20 }
            #expect(bytes.withUnsafeBufferPointer { CompactText.of($0) } == byteByByte(bytes), "\(bytes)")
        }
    }

    private func byteByByte(_ bytes: [UInt8]) -> [UInt8] {
        var (isInString, isEscaped) = (false, false)
        return bytes.filter { byte in
            if isEscaped {
                isEscaped = false
            } else if isInString, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if !isInString {
                return byte != 0x20 && !(0x09...0x0D).contains(byte)
            }
            return true
        }
    }
}
