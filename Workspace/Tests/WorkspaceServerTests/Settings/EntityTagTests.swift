import Crypto
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct EntityTagTests {
    private let tag = EntityTag(value: "abc")

    @Test("An entity tag matches a list with the tag, the weak tag and the star")
    func matches() {
        #expect(tag.matches("\"abc\""))
        #expect(tag.matches("\"x\", W/\"abc\" , \"y\""))
        #expect(tag.matches("*"))
    }

    @Test("An entity tag matches no other tag")
    func others() {
        #expect(!tag.matches(nil))
        #expect(!tag.matches(""))
        #expect(!tag.matches("abc"))
        #expect(!tag.matches("\"abcd\""))
    }

    @Test("A digest is written in hexadecimal")
    func digest() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(SHA256.hash(data: [UInt8]()).hexadecimal == empty)
    }
}
