import GzipReading
import Testing

@Suite struct GunzipTests {
    private func inflate(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> [UInt8] {
        try bytes.withUnsafeBytes { try Gunzip.inflate($0, limit: limit) }
    }

    private let text = Array(String(repeating: "an event ", count: 20_000).utf8)

    @Test("Compressed bytes are restored")
    func roundTrip() throws {
        #expect(try inflate(Gzip.compress(text)) == text)
        #expect(try inflate(Gzip.compress([])) == [])
    }

    @Test("Several gzip members are joined")
    func members() throws {
        #expect(try inflate(Gzip.compress([1, 2]) + Gzip.compress([3])) == [1, 2, 3])
    }

    @Test("A text at the limit is inflated, and a text with one more byte is refused")
    func limit() throws {
        let compressed = try Gzip.compress(text)
        #expect(try inflate(compressed, limit: text.count).count == text.count)
        #expect(throws: Gunzip.Failure.tooLarge) { try inflate(compressed, limit: text.count - 1) }
    }

    @Test("Truncated gzip data is refused at every length")
    func truncated() throws {
        let compressed = try Gzip.compress(text)
        for count in 0..<compressed.count {
            #expect(throws: Gunzip.Failure.self) { try inflate(Array(compressed[..<count])) }
        }
    }

    @Test("Damaged gzip data and other data are refused")
    func invalid() throws {
        var damaged = try Gzip.compress(text)
        damaged[damaged.count - 6] ^= 1
        #expect(throws: Gunzip.Failure.self) { try inflate(damaged) }
        #expect(throws: Gunzip.Failure.self) { try inflate(Array("{}".utf8)) }
        #expect(throws: Gunzip.Failure.self) { try inflate(Gzip.compress(text) + [1, 2, 3]) }
    }
}
