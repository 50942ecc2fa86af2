import Foundation
import Testing
import TributaryJSON

/// Mutated documents, read by this parser and by Foundation's: both must accept or both refuse.
///
/// Known differences, which the comparison sets aside: Foundation refuses lone surrogate escapes (here they become
/// U+FFFD) and numbers beyond `Double` (here they keep their spelling). It accepts a comma after the last element or
/// member. It guesses UTF-16 and UTF-32 and skips a byte order mark, so that documents with a NUL or a byte order mark
/// in the first four bytes are not compared.
@Suite struct JSONFuzzTests {
    private static let seeds = [
        #"{"type":"track","event":"Order \"Completed\"","properties":{"total":27.50,"n":-12e+3,"list":[1,null,true]}}"#,
        #"[0,-0,1e5,1E-2,0.1,123456789012345678901234567890,-9223372036854775808,18446744073709551615]"#,
        #"["é","😀","\u00e9","\uD83D\uDE00","\\\/\b\f\n\r\t",""," "]"#,
        #" { "a" : { } , "b" : [ ] , "c" : [ [ ] , { "d" : false } ] } "#,
        #""text""#, "-1.5e3", "null", "[[[[[[]]]]]]", "{\"\":{\"\":{\"\":0}}}",
    ].map { Array($0.utf8) }

    /// Pieces of text that break parsers more often than arbitrary bytes.
    private static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\uD83D", "\\uDE00", "0", "-", "+", ".", "e", "E5",
            "1e400",
            "null", "true", " ", "\n", "\t", "\u{1}", "é", "😀", "/", "'", "NaN",
        ].map { Array($0.utf8) } + [[0xC3], [0xFF], [0xED, 0xA0, 0x80], [0xF0, 0x9F], [0x80], [0xC0, 0x80], [0]]

    private func mutated(_ random: inout SplitMix64) -> [UInt8] {
        var text = Self.seeds.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0...text.count, using: &random)
            let end = Int.random(in: place...min(text.count, place + 3), using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: text.removeSubrange(place..<end)
            case 1: text.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: place)
            case 2: text.replaceSubrange(place..<end, with: Self.pieces.randomElement(using: &random) ?? [])
            case 3: text.removeSubrange(place...)
            case 4: text.insert(contentsOf: text[place..<end], at: place)
            default: if place < text.count { text[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
            }
        }
        return text
    }

    private func foundation(_ text: [UInt8]) -> Any? {
        try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
    }

    /// True for documents that Foundation reads as another encoding.
    private func isOtherEncoding(_ text: [UInt8]) -> Bool {
        text.prefix(4).contains { $0 == 0 || $0 == 0xEF || $0 >= 0xFE }
    }

    /// The document without the commas that stand, apart from spaces, before a closing bracket; nil without such.
    private func withoutTrailingCommas(_ text: [UInt8]) -> [UInt8]? {
        let spaces = Array(" \t\r\n".utf8)
        let isTrailing = text.indices.map { place in
            guard text[place] == UInt8(ascii: ",") else { return false }
            let next = text[(place + 1)...].first { !spaces.contains($0) }
            return next == UInt8(ascii: "]") || next == UInt8(ascii: "}")
        }
        guard isTrailing.contains(true) else { return nil }
        return zip(text, isTrailing).filter { !$1 }.map(\.0)
    }

    /// True when the value holds what Foundation refuses in a valid text.
    private func isRefusedByFoundation(_ value: JSON) -> Bool {
        switch value {
        case .null, .bool: false
        case .number(let number): !number.double.isFinite
        case .string(let text): text.unicodeScalars.contains("\u{FFFD}")
        case .array(let elements): elements.contains(where: isRefusedByFoundation)
        case .object(let object):
            object.contains { isRefusedByFoundation(.string($0.key)) || isRefusedByFoundation($0.value) }
        }
    }

    @Test("Of mutated documents the parser accepts those that Foundation accepts")
    func mutations() throws {
        var random = SplitMix64(seed: 20_261_121)
        var accepted = 0
        var refused = 0
        for _ in 0..<12_000 {
            let text = mutated(&random)
            if isOtherEncoding(text) { continue }
            let shown = String(decoding: text, as: UTF8.self)
            guard let value = try? JSON.parse(text) else {
                refused += 1
                let isKnown = withoutTrailingCommas(text).map { (try? JSON.parse($0)) != nil } ?? false
                #expect(isKnown || foundation(text) == nil, "refused here, accepted by Foundation: \(shown)")
                continue
            }
            accepted += 1
            #expect(foundation(text) != nil || isRefusedByFoundation(value), "refused by Foundation: \(shown)")
            let written = value.encoded()
            #expect(try JSON.parse(written) == value, "changed by writing: \(shown)")
            #expect(try JSON.parse(written).encoded() == written)
        }
        // The comparison needs many accepted and many refused documents.
        #expect(accepted > 1000)
        #expect(refused > 1000)
    }

    @Test("Arbitrary bytes do not crash the parser")
    func arbitraryBytes() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 0..<24, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next())
            }
            if let value = try? JSON.parse(text) { #expect(throws: Never.self) { try JSON.parse(value.encoded()) } }
        }
    }
}
