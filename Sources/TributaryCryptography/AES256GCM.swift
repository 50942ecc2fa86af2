#if canImport(CryptoKit)
import CryptoKit
#else
import CTributaryCrypto
#endif

/// AES with 256 bits in Galois/Counter Mode, by the system's library. A sealed text has nonce, ciphertext and tag in
/// one.
package struct AES256GCM: Sendable {
    package static let keyBytes = 32
    package static let nonceBytes = 12
    package static let tagBytes = 16
    /// The number of bytes that sealing adds.
    package static let overhead = nonceBytes + tagBytes

    private let key: [UInt8]

    /// - Returns: nil for a key of another size.
    package init?(key: [UInt8]) {
        guard key.count == Self.keyBytes else { return nil }
        self.key = key
    }

    /// - Parameter nonce: 12 bytes that were never used with this key.
    /// - Returns: nil for a nonce of another size, for more than two gigabytes, and when the library fails.
    package func seal(
        _ payload: UnsafeRawBufferPointer, nonce: [UInt8], authenticating context: [UInt8]
    ) -> [UInt8]? {
        guard nonce.count == Self.nonceBytes else { return nil }
        #if canImport(CryptoKit)
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(
                payload, using: SymmetricKey(data: key), nonce: nonce, authenticating: context)
        else { return nil }
        return Array(box.nonce) + box.ciphertext + box.tag
        #else
        guard let cipher = GCMContext(key: key, nonce: nonce, direction: .seal),
            cipher.authenticate(context), let ciphertext = cipher.update(payload), cipher.finish(),
            let tag = cipher.tag()
        else { return nil }
        return nonce + ciphertext + tag
        #endif
    }

    /// - Returns: nil when the bytes were not sealed with this key and context, or were changed.
    package func open(_ sealed: UnsafeRawBufferPointer, authenticating context: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Self.overhead else { return nil }
        #if canImport(CryptoKit)
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let payload = try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: context)
        else { return nil }
        return Array(payload)
        #else
        let nonce = Array(sealed.prefix(Self.nonceBytes))
        let ciphertext = UnsafeRawBufferPointer(rebasing: sealed.dropFirst(Self.nonceBytes).dropLast(Self.tagBytes))
        guard let cipher = GCMContext(key: key, nonce: nonce, direction: .open),
            cipher.authenticate(context), let payload = cipher.update(ciphertext),
            cipher.expect(tag: Array(sealed.suffix(Self.tagBytes))), cipher.finish()
        else { return nil }
        return payload
        #endif
    }
}
