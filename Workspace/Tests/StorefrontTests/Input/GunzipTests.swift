#if os(Linux)
import Foundation
import Testing
import TributaryJSON

@testable import Storefront

@Suite struct GunzipTests {
    private static let one = bytes("H4sIAAAAAAACA6tWSlSyMqzlAgBGo+h0CAAAAA==")
    private static let two = bytes("H4sIAAAAAAACA6tWSlKyMqrlAgCxbzrwCAAAAA==")
    /// 100,000 spaces.
    private static let bomb = bytes(
        "H4sIAAAAAAACA+3BMQEAAADCoCrrn9IaHkABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAArwYt8HnKoIYBAA==")

    private static func bytes(_ base64: String) -> [UInt8] { [UInt8](Data(base64Encoded: base64) ?? Data()) }

    private func text(_ bytes: [UInt8]) throws -> String {
        String(decoding: try Gunzip.decompress(bytes, limit: 1000), as: UTF8.self)
    }

    @Test func readsOneMemberAndSeveral() throws {
        #expect(try text(Self.one) == "{\"a\":1}\n")
        #expect(try text(Self.one + Self.two) == "{\"a\":1}\n{\"b\":2}\n")
    }

    @Test func whatIsCutOffIsAnError() {
        for count in 2..<Self.one.count {
            #expect(throws: InputProblem("the gzip data ends too early")) {
                try Gunzip.decompress(Array(Self.one.prefix(count)), limit: 1000)
            }
        }
    }

    @Test func whatIsDamagedIsAnError() {
        var damaged = Self.one
        damaged[damaged.count - 8] ^= 1  // the checksum
        #expect(throws: InputProblem("the gzip data is damaged")) { try Gunzip.decompress(damaged, limit: 1000) }
    }

    @Test func aSmallFileCannotFillTheMemory() throws {
        #expect(throws: InputProblem("more than 99999 bytes when decompressed")) {
            try Gunzip.decompress(Self.bomb, limit: 99_999)
        }
        #expect(try Gunzip.decompress(Self.bomb, limit: 100_000).count == 100_000)
    }

    @Test func filesAreReadEitherWay() throws {
        let file = try InputFile(name: "events.gz", contents: Self.one + Self.two)
        #expect(file.count == 2)
        #expect(try file.read(1) { json, _ in json } == ["b": 2])
        #expect(throws: InputError(file: "x.gz", line: nil, reason: "the gzip data ends too early")) {
            try InputFile(name: "x.gz", contents: Array(Self.one.dropLast()))
        }
    }
}
#endif
