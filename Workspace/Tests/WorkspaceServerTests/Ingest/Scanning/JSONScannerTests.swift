import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct JSONScannerTests {
    private func failure(_ bytes: [UInt8], depth: Int = 128) -> JSONError? {
        bytes.withUnsafeBufferPointer { buffer in
            var scanner = JSONScanner(buffer, depth: depth)
            do throws(JSONError) {
                try scanner.document { scanner throws(JSONError) in _ = try scanner.value() }
                return nil
            } catch {
                return error
            }
        }
    }

    /// The error of the parser for the same text.
    private func parsed(_ bytes: [UInt8]) -> JSONError? {
        do throws(JSONError) {
            _ = try JSON.parse(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "The scanner accepts the same texts as the parser",
        arguments: [
            "", " ", "{", "}", "[", "[1", "[1,", "[1,]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}", "tru",
            "truE",
            "nul", "01", "-", "-01", "1.", ".5", "1e", "1e+", "+1", "NaN", "0x1", "\"", "\"a", "\"\\", "\"\\x\"",
            "\"\\u12\"",
            "\"\\u12g4\"", "\"a\nb\"", "\"\u{7F}\"", "\"\\ud800\"", "\"\\ud800\\ud800\"", "\"\\ud83d\\ude00\"", "1 2",
            "[] x",
            "{}", "[]", "0", "-0", "-0.0e-0", "1E400", "{\"a\":[{},[],\"\\\"\"]}", "\"1234567\"", "\"12345678\"",
            "\"123456789\\n\"", "[1 , 2 ]", "\t{ \"a\" : null }\r\n", "{\"a\":1,\"a\":2}", "\u{FEFF}1",
        ])
    func sameTexts(_ text: String) {
        let bytes = Array(text.utf8)
        #expect((failure(bytes) == nil) == (parsed(bytes) == nil))
    }

    @Test("The scanner refuses invalid UTF-8")
    func invalidUTF8() {
        let texts: [[UInt8]] = [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xEF, 0xBF],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xC3, 0x28],
            [0xC3, 0xA9, 0x80], [0xF0, 0x9F, 0x98],
        ]
        for text in texts { #expect(failure([0x22] + text + [0x22])?.reason == .invalidUTF8, "\(text)") }
        for text in ["é", "€", "😀", "aé😀b", "\u{10FFFF}", "\u{D7FF}\u{E000}"] {
            #expect(failure([0x22] + Array(text.utf8) + [0x22]) == nil, "\(text)")
        }
    }

    @Test("The scanner refuses values that are nested deeper than the limit")
    func tooDeep() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(failure(nested(128)) == nil)
        #expect(failure(nested(129))?.reason == .tooDeep)
        #expect(failure(Array(repeating: UInt8(ascii: "["), count: 1_000_000))?.reason == .tooDeep)
    }

    /// Damages texts at random. Foundation has to agree, too, where its rules are the same.
    @Test("The scanner and the parser agree about randomly damaged texts")
    func damagedTexts() throws {
        let texts = [
            #"{"batch":[{"type":"track","event":"é€😀 \u00e9\ud83d\ude00\n","n":[-0,1.5e+10,12345678901234567890],"#
                + #""t":true,"f":false,"z":null,"o":{"":{}}}],"writeKey":"WK" , "sentAt":"2026-11-21T01:00:00.000Z"}"#,
            "[[[[\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\\\\"],0.1],{\"k\":\"v\"}],\t-12e-3 ]",
        ]
        let palette = Array(#"{}[]":,\0129eE+-.tfnu "#.utf8) + [0x00, 0x0A, 0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]
        var random = SplitMix(state: 7)
        var accepted = 0
        for round in 0..<20_000 {
            var bytes = Array(texts[round % texts.count].utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = palette.randomElement(using: &random) ?? 0
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(palette.randomElement(using: &random) ?? 0, at: place)
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { bytes = [0x20] }
            }
            let (ours, parsers) = (failure(bytes), parsed(bytes))
            #expect((ours == nil) == (parsers == nil), "\(String(decoding: bytes, as: UTF8.self))")
            guard ours == nil else { continue }
            accepted += 1
            let compact = bytes.withUnsafeBufferPointer { CompactText.of($0) }
            #expect(try JSON.parse(compact) == JSON.parse(bytes))
            // Foundation refuses half of a surrogate pair.
            guard
                String(decoding: bytes, as: UTF8.self).range(of: #"\\u[dD][89a-fA-F]"#, options: .regularExpression)
                    == nil
            else { continue }
            _ = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        }
        #expect(accepted > 1_000)
    }

    /// A small generator that gives the same numbers each time.
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }
}
