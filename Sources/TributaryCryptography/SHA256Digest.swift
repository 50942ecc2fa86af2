#if canImport(CryptoKit)
import CryptoKit
#else
import CTributaryCrypto
#endif

/// SHA-256 of bytes, by the system's library.
package enum SHA256Digest {
    /// The 32 bytes of the digest; nil when the library fails, which happens only without memory.
    package static func of(_ bytes: [UInt8]) -> [UInt8]? {
        #if canImport(CryptoKit)
        return Array(SHA256.hash(data: bytes))
        #else
        var digest = [UInt8](repeating: 0, count: 32)
        return SHA256(bytes, bytes.count, &digest) == nil ? nil : digest
        #endif
    }
}
