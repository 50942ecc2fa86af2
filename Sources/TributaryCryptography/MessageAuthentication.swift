#if canImport(CryptoKit)
import CryptoKit
#else
import CTributaryCrypto
#endif

/// HMAC with SHA-256, by the system's library.
package enum MessageAuthentication {
    /// The 32 bytes of the code; nil when the library fails.
    package static func code(for message: [UInt8], key: [UInt8]) -> [UInt8]? {
        #if canImport(CryptoKit)
        var authentication = HMAC<SHA256>(key: SymmetricKey(data: key))
        authentication.update(data: message)
        return Array(authentication.finalize())
        #else
        guard let keyBytes = Int32(exactly: key.count) else { return nil }
        var code = [UInt8](repeating: 0, count: 32)
        var written: UInt32 = 0
        let isDone = HMAC(EVP_sha256(), key, keyBytes, message, message.count, &code, &written) != nil
        return isDone && written == 32 ? code : nil
        #endif
    }
}
