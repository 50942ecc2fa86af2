import TributaryCryptography
public import TributaryJournal

/// AES-256 in Galois/Counter Mode, for journals whose records nobody else should be able to read.
///
/// Each life of a journal has a key of its own, derived from the one that is given. Every payload is sealed under a
/// random nonce of 96 bits, which stays safe for some four thousand million records in one life.
///
/// Whoever can write to the folder can delete records or add plain ones; what is sealed he can neither read nor change
/// nor move.
public struct AESGCMCipher: JournalCipher {
    /// Bytes of a key.
    public static let keyBytes = AES256GCM.keyBytes

    private let key: [UInt8]
    private let makeNonce: @Sendable () -> [UInt8]

    /// A cipher with a key of 32 random bytes, which the app keeps, in the keychain for instance.
    /// - Returns: nil for a key of another size.
    public init?(key: some Sequence<UInt8>) {
        self.init(key: Array(key), nonce: nil)
    }

    /// - Parameter nonce: random ones unless there are others, for golden files.
    package init?(key: [UInt8], nonce: (@Sendable () -> [UInt8])?) {
        guard key.count == Self.keyBytes else { return nil }
        self.key = key
        makeNonce = nonce ?? Self.randomNonce
    }

    /// The seal for one life of a journal.
    public func seal(epoch: UInt64) -> any JournalSeal {
        AESGCMSeal(key: derived("payloads", epoch), keyCheck: derived("key check", epoch), nonce: makeNonce)
    }

    private static let randomNonce: @Sendable () -> [UInt8] = {
        withUnsafeBytes(of: (UInt64.random(in: .min ... .max), UInt32.random(in: .min ... .max))) { bytes in
            Array(bytes.prefix(AES256GCM.nonceBytes))
        }
    }

    /// 32 bytes for one purpose, from which nothing about the key or those for other purposes can be told; none when the
    /// system's library refuses, and then nothing can be sealed either.
    private func derived(_ purpose: String, _ epoch: UInt64) -> [UInt8] {
        MessageAuthentication.code(for: Array("TJOURNAL \(purpose) \(epoch)".utf8), key: key) ?? []
    }
}
