package import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import CTributaryCrypto
#endif

/// A key that signs bundles with Ed25519, as an author's tool would.
package struct SigningKey: Sendable {
    private let seed: [UInt8]

    package init() { seed = (0..<32).map { _ in UInt8.random(in: .min ... .max) } }

    #if canImport(CryptoKit)
    private var key: Curve25519.Signing.PrivateKey {
        get throws { try Curve25519.Signing.PrivateKey(rawRepresentation: seed) }
    }

    package var publicKey: Data { (try? key.publicKey.rawRepresentation) ?? Data() }

    package func signature(for message: Data) throws -> Data { try key.signature(for: message) }
    #else
    package var publicKey: Data {
        withKey { key in
            var (bytes, count) = ([UInt8](repeating: 0, count: 32), 32)
            return EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 ? Data(bytes) : Data()
        }
    }

    package func signature(for message: Data) throws -> Data {
        withKey { key in
            let context = EVP_MD_CTX_new()
            defer { EVP_MD_CTX_free(context) }
            var (bytes, count) = ([UInt8](repeating: 0, count: 64), 64)
            guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
                EVP_DigestSign(context, &bytes, &count, Array(message), message.count) == 1
            else { return Data() }
            return Data(bytes)
        }
    }

    private func withKey<Result>(_ use: (OpaquePointer?) -> Result) -> Result {
        let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count)
        defer { EVP_PKEY_free(key) }
        return use(key)
    }
    #endif
}
