import Crypto
import Testing

@testable import WorkspaceServer

@Suite struct EntityTagTests {
    private let tag = EntityTag(value: "abc")

    @Test func listsWeakTagsAndTheStarMatch() {
        #expect(tag.matches("\"abc\""))
        #expect(tag.matches("\"x\", W/\"abc\" , \"y\""))
        #expect(tag.matches("*"))
    }

    @Test func otherTagsDoNot() {
        #expect(!tag.matches(nil))
        #expect(!tag.matches(""))
        #expect(!tag.matches("abc"))
        #expect(!tag.matches("\"abcd\""))
    }

    @Test func theDigestIsInHexadecimal() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(SHA256.hash(data: [UInt8]()).hexadecimal == empty)
    }
}
