import GzipReading
import Testing

@Suite struct GunzipTests {
    private func inflate(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> [UInt8] {
        try bytes.withUnsafeBytes { try Gunzip.inflate($0, limit: limit) }
    }

    private let text = Array(String(repeating: "an event ", count: 20_000).utf8)

    @Test func whatWasCompressedComesBack() throws {
        #expect(try inflate(Gzip.compress(text)) == text)
        #expect(try inflate(Gzip.compress([])) == [])
    }

    @Test func severalMembersAreOneText() throws {
        #expect(try inflate(Gzip.compress([1, 2]) + Gzip.compress([3])) == [1, 2, 3])
    }

    @Test func theLimitIsExact() throws {
        let compressed = try Gzip.compress(text)
        #expect(try inflate(compressed, limit: text.count).count == text.count)
        #expect(throws: Gunzip.Failure.tooLarge) { try inflate(compressed, limit: text.count - 1) }
    }

    @Test func aTextThatEndsEarlyIsRefusedWhereverItEnds() throws {
        let compressed = try Gzip.compress(text)
        for count in 0..<compressed.count {
            #expect(throws: Gunzip.Failure.self) { try inflate(Array(compressed[..<count])) }
        }
    }

    @Test func whatIsNoGzipIsRefused() throws {
        var damaged = try Gzip.compress(text)
        damaged[damaged.count - 6] ^= 1
        #expect(throws: Gunzip.Failure.self) { try inflate(damaged) }
        #expect(throws: Gunzip.Failure.self) { try inflate(Array("{}".utf8)) }
        #expect(throws: Gunzip.Failure.self) { try inflate(Gzip.compress(text) + [1, 2, 3]) }
    }
}
