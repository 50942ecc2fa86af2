import TributaryCryptography
public import TributaryJournal

/// AES-256 in Galois/Counter Mode, for journals that only the app may read.
///
/// Each epoch of a journal has a key of its own, derived from the given one. Every payload is sealed with a random
/// nonce of 96 bits, which is safe for about four billion records in an epoch.
///
/// A person who can write to the folder can delete records or add plain ones, but cannot read, change or move sealed
/// ones.
///
/// ```swift
/// let key = (0..<AESGCMCipher.keyBytes).map { _ in UInt8.random(in: .min ... .max) }  // store it in the keychain
/// guard let cipher = AESGCMCipher(key: key) else { return }
/// let configuration = Configuration(writeKey: "KEY").storageCipher(cipher)
/// ```
public struct AESGCMCipher: JournalCipher {
    /// The number of bytes of a key.
    public static let keyBytes = AES256GCM.keyBytes

    private let key: [UInt8]
    private let makeNonce: @Sendable () -> [UInt8]

    /// A cipher with a key of 32 random bytes. The app stores the key, for instance in the keychain.
    /// - Returns: nil for a key of another size.
    public init?(key: some Sequence<UInt8>) {
        self.init(key: Array(key), nonce: nil)
    }

    /// - Parameter nonce: makes nonces for golden files. Default: random ones.
    package init?(key: [UInt8], nonce: (@Sendable () -> [UInt8])?) {
        guard key.count == Self.keyBytes else { return nil }
        self.key = key
        makeNonce = nonce ?? Self.randomNonce
    }

    /// The seal for one epoch of a journal.
    public func seal(epoch: UInt64) -> any JournalSeal {
        AESGCMSeal(key: derived("payloads", epoch), keyCheck: derived("key check", epoch), nonce: makeNonce)
    }

    private static let randomNonce: @Sendable () -> [UInt8] = {
        withUnsafeBytes(of: (UInt64.random(in: .min ... .max), UInt32.random(in: .min ... .max))) { bytes in
            Array(bytes.prefix(AES256GCM.nonceBytes))
        }
    }

    /// A key of 32 bytes for one purpose. It reveals nothing about the given key or the keys for other purposes. Empty
    /// when the system's library fails; then nothing can be sealed.
    private func derived(_ purpose: String, _ epoch: UInt64) -> [UInt8] {
        MessageAuthentication.code(for: Array("TJOURNAL \(purpose) \(epoch)".utf8), key: key) ?? []
    }
}
