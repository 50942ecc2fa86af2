// As much of CryptoKit as the client uses, with the signatures of https://developer.apple.com/documentation/cryptokit.
import Foundation

// https://developer.apple.com/documentation/cryptokit/symmetrickey/init(data:)
@available(iOS 13.0, macOS 10.15, watchOS 6.0, tvOS 13.0, visionOS 1.0, *)
public struct SymmetricKey {
    // https://developer.apple.com/documentation/cryptokit/symmetrickey/init(data:)
    public init<D: ContiguousBytes>(data: D) {}
}

// Not read: cryptokit/sha256digest
@available(iOS 13.0, macOS 10.15, watchOS 6.0, tvOS 13.0, visionOS 1.0, *)
public struct SHA256Digest: Sequence {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

// https://developer.apple.com/documentation/cryptokit/hashfunction/hash(data:)
@available(iOS 13.0, macOS 10.15, watchOS 6.0, tvOS 13.0, visionOS 1.0, *)
public struct SHA256 {
    // https://developer.apple.com/documentation/cryptokit/hashfunction/hash(data:)
    public static func hash<D: DataProtocol>(data: D) -> SHA256Digest { SHA256Digest() }
}

// Not read: cryptokit/hashedauthenticationcode
@available(iOS 13.0, macOS 10.15, watchOS 6.0, tvOS 13.0, visionOS 1.0, *)
public struct HashedAuthenticationCode<H>: Sequence {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

// https://developer.apple.com/documentation/cryptokit/hmac/init(key:)
@available(iOS 13.0, macOS 10.15, watchOS 6.0, tvOS 13.0, visionOS 1.0, *)
public struct HMAC<H> {
    public typealias MAC = HashedAuthenticationCode<H>
    // https://developer.apple.com/documentation/cryptokit/hmac/init(key:)
    public init(key: SymmetricKey) {}
    public mutating func update<D: DataProtocol>(data: D) {}
    public func finalize() -> MAC { HashedAuthenticationCode<H>() }
}

// https://developer.apple.com/documentation/cryptokit/aes/gcm/sealedbox
@available(iOS 13.0, macOS 10.15, watchOS 6.0, tvOS 13.0, visionOS 1.0, *)
public enum AES {
    public enum GCM {
        public struct Nonce: ContiguousBytes, Sequence {
            // https://developer.apple.com/documentation/cryptokit/aes/gcm/nonce/init(data:)
            public init<D: DataProtocol>(data: D) throws {}
            public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
                try body(UnsafeRawBufferPointer(start: nil, count: 0))
            }
            public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
        }

        public struct SealedBox {
            // https://developer.apple.com/documentation/cryptokit/aes/gcm/sealedbox
            public var nonce: Nonce
            public var ciphertext: Data { Data() }
            public var tag: Data { Data() }
            public init<D: DataProtocol>(combined: D) throws { nonce = try Nonce(data: combined) }
        }

        // https://developer.apple.com/documentation/cryptokit/aes/gcm/seal(_:using:nonce:authenticating:)
        public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
            _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil, authenticating: AuthenticatedData
        ) throws -> SealedBox { try SealedBox(combined: message) }

        // https://developer.apple.com/documentation/cryptokit/aes/gcm/open(_:using:authenticating:)
        public static func open<AuthenticatedData: DataProtocol>(
            _ sealedBox: SealedBox, using key: SymmetricKey, authenticating: AuthenticatedData
        ) throws -> Data { Data() }
    }
}

// https://developer.apple.com/documentation/cryptokit/curve25519/signing/publickey/init(rawrepresentation:)
@available(iOS 13.0, macOS 10.15, watchOS 6.0, tvOS 13.0, visionOS 1.0, *)
public enum Curve25519 {
    public enum Signing {
        public struct PublicKey {
            // https://developer.apple.com/documentation/cryptokit/curve25519/signing/publickey/init(rawrepresentation:)
            public init<D: ContiguousBytes>(rawRepresentation data: D) throws {}
            // https://developer.apple.com/documentation/cryptokit/curve25519/signing/publickey/isvalidsignature(_:for:)
            public func isValidSignature<S: DataProtocol, D: DataProtocol>(_ signature: S, for data: D) -> Bool {
                false
            }
        }
    }
}
