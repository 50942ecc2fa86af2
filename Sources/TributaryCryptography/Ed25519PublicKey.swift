#if canImport(CryptoKit)
import CryptoKit
#else
import CTributaryCrypto
#endif

/// A public key that checks signatures of Ed25519, by the system's library.
package struct Ed25519PublicKey: Sendable {
    private let bytes: [UInt8]

    /// - Returns: nil when the bytes are not 32.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Whether the owner of the private key has signed this message.
    package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        #if canImport(CryptoKit)
        let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        return key?.isValidSignature(signature, for: message) ?? false
        #else
        let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            EVP_PKEY_free(key)
        }
        guard key != nil, context != nil, EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        #endif
    }
}
