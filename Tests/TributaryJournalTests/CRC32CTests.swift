import Testing

@testable import TributaryJournal

@Suite struct CRC32CTests {
    private func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { CRC32C.checksum(of: $0) }
    }

    private func checksumByTables(_ bytes: [UInt8]) -> UInt32 {
        var check = CRC32C(byTables: ())
        bytes.withUnsafeBytes { check.update($0) }
        return check.value
    }

    @Test(
        "The checksums of published vectors are right",
        arguments: [
            ([], 0x0000_0000),
            (Array("a".utf8), 0xC1D0_4330),
            (Array("123456789".utf8), 0xE306_9283),
            // RFC 3720, B.4
            ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
            ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
            (Array(0..<32), 0x46DD_794E),
            (Array((0..<32).reversed()), 0x113F_DB5C),
        ] as [([UInt8], UInt32)])
    func publishedVectors(bytes: [UInt8], expected: UInt32) {
        #expect(checksum(bytes) == expected)
        #expect(checksumByTables(bytes) == expected)
    }

    @Test("Bytes have the same checksum in one part and in two parts")
    func splits() {
        let bytes = (0..<67).map { UInt8(truncatingIfNeeded: $0 * 31) }
        for split in 0...bytes.count {
            var check = CRC32C()
            Array(bytes[..<split]).withUnsafeBytes { check.update($0) }
            Array(bytes[split...]).withUnsafeBytes { check.update($0) }
            #expect(check.value == checksum(bytes))
        }
    }

    @Test("The checksum of any slice is that of the bitwise definition")
    func slices() {
        let bytes = (0..<40).map { UInt8(truncatingIfNeeded: $0 * 57 + 3) }
        for start in 0..<9 {
            for end in start...bytes.count {
                #expect(checksum(Array(bytes[start..<end])) == bitwise(bytes[start..<end]))
                #expect(checksumByTables(Array(bytes[start..<end])) == bitwise(bytes[start..<end]))
            }
        }
    }

    @Test("A word counts as its eight bytes, the lowest byte first", arguments: [CRC32C(), CRC32C(byTables: ())])
    func words(check: CRC32C) {
        var check = check
        check.update(0x0807_0605_0403_0201 as UInt64)
        #expect(check.value == checksum([1, 2, 3, 4, 5, 6, 7, 8]))
    }

    /// The checksum one bit at a time, as the polynomial defines it.
    private func bitwise(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var state: UInt32 = ~0
        for byte in bytes {
            state ^= UInt32(byte)
            for _ in 0..<8 { state = (state >> 1) ^ (state & 1 == 1 ? 0x82F6_3B78 : 0) }
        }
        return ~state
    }
}
