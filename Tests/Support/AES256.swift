package import Foundation

/// AES with 256 bits in CBC mode and PKCS 7 padding, as analytics-ios brings it along for an app's `crypto`. For tests only.
package struct AES256: Sendable {
    private static let sbox = makeSbox()
    private static let inverseSbox: [UInt8] = {
        var inverse = [UInt8](repeating: 0, count: 256)
        for (index, value) in sbox.enumerated() { inverse[Int(value)] = UInt8(index) }
        return inverse
    }()

    private let roundKeys: [[UInt8]]
    private let iv: [UInt8]

    package init(key: [UInt8], iv: [UInt8]) {
        roundKeys = Self.expand(key)
        self.iv = iv
    }

    package func encrypt(_ data: Data) -> Data {
        let padding = 16 - data.count % 16
        let bytes = [UInt8](data) + [UInt8](repeating: UInt8(padding), count: padding)
        var previous = iv
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 16) {
            previous = encrypted(zip(bytes[start..<start + 16], previous).map { $0 ^ $1 })
            result += previous
        }
        return Data(result)
    }

    /// Nil for what was not encrypted with this key.
    package func decrypt(_ data: Data) -> Data? {
        guard !data.isEmpty, data.count % 16 == 0 else { return nil }
        let bytes = [UInt8](data)
        var previous = iv
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 16) {
            let block = Array(bytes[start..<start + 16])
            result += zip(decrypted(block), previous).map { $0 ^ $1 }
            previous = block
        }
        guard let padding = result.last, (1...16).contains(padding),
            result.suffix(Int(padding)).allSatisfy({ $0 == padding })
        else { return nil }
        return Data(result.dropLast(Int(padding)))
    }

    // MARK: One block

    private func encrypted(_ block: [UInt8]) -> [UInt8] {
        var state = Self.xor(block, roundKeys[0])
        for round in 1..<roundKeys.count {
            state = state.map { Self.sbox[Int($0)] }
            state = (0..<16).map { state[($0 + 4 * ($0 % 4)) % 16] }
            if round < roundKeys.count - 1 { state = Self.mixed(state, [2, 3, 1, 1]) }
            state = Self.xor(state, roundKeys[round])
        }
        return state
    }

    private func decrypted(_ block: [UInt8]) -> [UInt8] {
        var state = block
        for round in (1..<roundKeys.count).reversed() {
            state = Self.xor(state, roundKeys[round])
            if round < roundKeys.count - 1 { state = Self.mixed(state, [14, 11, 13, 9]) }
            state = (0..<16).map { state[($0 + 12 * ($0 % 4)) % 16] }
            state = state.map { Self.inverseSbox[Int($0)] }
        }
        return Self.xor(state, roundKeys[0])
    }

    private static func xor(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] { zip(one, other).map { $0 ^ $1 } }

    private static func mixed(_ state: [UInt8], _ row: [UInt8]) -> [UInt8] {
        (0..<16).map { index in
            (0..<4).reduce(UInt8(0)) { sum, other in
                sum ^ product(row[(other + 4 - index % 4) % 4], state[index / 4 * 4 + other])
            }
        }
    }

    private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
        var (one, other, result) = (one, other, UInt8(0))
        while other > 0 {
            if other & 1 == 1 { result ^= one }
            one = (one << 1) ^ (one & 0x80 == 0 ? 0 : 0x1B)
            other >>= 1
        }
        return result
    }

    private static func makeSbox() -> [UInt8] {
        (0...255).map { value -> UInt8 in
            let value = UInt8(value)
            // In this field the inverse is the 254th power.
            let inverse = (0..<253).reduce(value) { power, _ in product(power, value) }
            return (1...4).reduce(inverse ^ 0x63) { $0 ^ (inverse << UInt8($1) | inverse >> UInt8(8 - $1)) }
        }
    }

    private static func expand(_ key: [UInt8]) -> [[UInt8]] {
        var words = stride(from: 0, to: 32, by: 4).map { Array(key[$0..<$0 + 4]) }
        var constant: UInt8 = 1
        while words.count < 60 {
            var word = words[words.count - 1]
            if words.count % 8 == 0 {
                word = (word[1...] + word[..<1]).map { sbox[Int($0)] }
                word[0] ^= constant
                constant = product(constant, 2)
            } else if words.count % 8 == 4 {
                word = word.map { sbox[Int($0)] }
            }
            words.append(xor(words[words.count - 8], word))
        }
        return stride(from: 0, to: 60, by: 4).map { Array(words[$0..<$0 + 4].joined()) }
    }
}

extension AES256 {
    /// The key of the golden files: 10,000 rounds of PBKDF2 with SHA-1 of "correct horse", as that library makes keys of
    /// passwords.
    package static let golden = AES256(
        key: [
            0x67, 0x5B, 0x6D, 0x98, 0x20, 0x67, 0x97, 0x72, 0xFB, 0xF2, 0x90, 0x8C, 0x70, 0x28, 0x19, 0x46,
            0x6B, 0xDA, 0x0C, 0x6D, 0x7E, 0x19, 0x55, 0xE0, 0x2E, 0xDD, 0x51, 0x41, 0x30, 0xA1, 0xCB, 0xD4,
        ], iv: Array(0x10...0x1F))
}
