import Testing
import TributaryJSON

@Suite("Places in texts") struct TextPlaceTests {
    @Test("A place counts lines and characters from 1, whatever bytes a character has")
    func counting() {
        let text = Array("aé\n🦊b".utf8)
        #expect(TextPlace(behind: 0, in: text) == TextPlace(line: 1, column: 1))
        #expect(TextPlace(behind: 3, in: text) == TextPlace(line: 1, column: 3))
        #expect(TextPlace(behind: 4, in: text).description == "line 2, column 1")
        #expect(TextPlace(behind: 8, in: text) == TextPlace(line: 2, column: 2))
        #expect(TextPlace(behind: 100, in: text) == TextPlace(line: 2, column: 3))
    }

    @Test("An error keeps its fault when its text turns out to be a part of a longer one")
    func longerText() throws {
        let error = try #require(throws: JSONError.self) { try JSON.parse("{\n\"a\" 1}") }
        #expect(error.description == "':' is missing after a key (line 2, column 5)")
        #expect(error.inText(fromLine: 7).description == "':' is missing after a key (line 8, column 5)")
        #expect(error.inText(fromLine: 7).offset == error.offset)
        let whole = JSONError(.tooLarge, "the text has 9 bytes")
        #expect(whole.inText(fromLine: 7) == whole)
    }
}
