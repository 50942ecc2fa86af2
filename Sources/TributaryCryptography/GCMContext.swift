#if !canImport(CryptoKit)
import CTributaryCrypto

/// One sealing or opening with libcrypto. Its calls have this order: `authenticate`, `update`, `finish`. The tag is set
/// before the end when opening, and read after it when sealing.
final class GCMContext {
    enum Direction: Int32 {
        case open = 0
        case seal = 1
    }

    private let context: OpaquePointer

    init?(key: [UInt8], nonce: [UInt8], direction: Direction) {
        guard let context = EVP_CIPHER_CTX_new() else { return nil }
        self.context = context
        // A nonce has 12 bytes by default.
        guard EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce, direction.rawValue) == 1 else {
            return nil
        }
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Adds bytes that stay readable and are authenticated.
    func authenticate(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        guard let count = Int32(exactly: bytes.count) else { return false }
        var written: Int32 = 0
        return EVP_CipherUpdate(context, nil, &written, bytes, count) == 1
    }

    /// Encrypts or decrypts bytes. The result is as long; nil when the library fails.
    func update(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return [] }
        guard let count = Int32(exactly: bytes.count) else { return nil }
        var result = [UInt8](repeating: 0, count: bytes.count)
        var written: Int32 = 0
        let isDone = EVP_CipherUpdate(
            context, &result, &written, start.assumingMemoryBound(to: UInt8.self), count)
        return isDone == 1 && written == count ? result : nil
    }

    /// Sets the tag that `finish` compares.
    func expect(tag: [UInt8]) -> Bool {
        var tag = tag
        return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
    }

    /// Whether everything succeeded. When opening, also whether the tag is right.
    func finish() -> Bool {
        // This mode has no bytes left at its end, but the library needs room for a block.
        var rest = [UInt8](repeating: 0, count: 16)
        var written: Int32 = 0
        return EVP_CipherFinal_ex(context, &rest, &written) == 1
    }

    func tag() -> [UInt8]? {
        var tag = [UInt8](repeating: 0, count: AES256GCM.tagBytes)
        return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1 ? tag : nil
    }
}
#endif
