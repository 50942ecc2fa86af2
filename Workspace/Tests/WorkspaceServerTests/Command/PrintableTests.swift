import Testing
import TributaryJSON

@testable import TributaryCommand

@Suite("Foreign texts in a terminal") struct PrintableTests {
    @Test(
        "Control characters and deceptive marks are replaced in output",
        arguments: [
            "\u{1B}[31mred", "two\nlines", "\u{9B}31m", "a\u{202E}b", "a\u{2066}b", "a\u{2028}b", "\0", "\u{7F}",
        ])
    func replaced(text: String) {
        let printable = text.printable
        #expect(printable.contains("\u{FFFD}"))
        #expect(printable.unicodeScalars.count == text.unicodeScalars.count)
    }

    @Test("The line of a key has no control characters, whichever characters the server sends")
    func key() {
        let line = KeyCommand.line([
            "key": "K\u{1B}]0;title\u{7}", "name": "first\nsecond", "createdAt": "now\u{1B}c",
            "revokedAt": "then\u{1B}c",
        ])
        #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }

    @Test("A text without control characters stays as it is", arguments: ["Büro 3", "店", "👩‍👩‍👧", "می‌خواهم"])
    func kept(text: String) { #expect(text.printable == text) }
}
