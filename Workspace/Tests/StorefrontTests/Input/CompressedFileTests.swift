import Foundation
import Testing
import TributaryJSON

@testable import Storefront

@Suite struct CompressedFileTests {
    private static let one = bytes("H4sIAAAAAAACA6tWSlSyMqzlAgBGo+h0CAAAAA==")
    private static let two = bytes("H4sIAAAAAAACA6tWSlKyMqrlAgCxbzrwCAAAAA==")

    private static func bytes(_ base64: String) -> [UInt8] { [UInt8](Data(base64Encoded: base64) ?? Data()) }

    @Test("A gzip file with two members is read, and a truncated file is refused")
    func gzip() throws {
        let file = try InputFile(name: "events.gz", contents: Self.one + Self.two)
        #expect(file.count == 2)
        #expect(try file.read(1) { json, _ in json } == ["b": 2])
        #expect(throws: InputError(file: "x.gz", line: nil, reason: "the gzip data cannot be read: it ends too early"))
        {
            try InputFile(name: "x.gz", contents: Array(Self.one.dropLast()))
        }
    }
}
