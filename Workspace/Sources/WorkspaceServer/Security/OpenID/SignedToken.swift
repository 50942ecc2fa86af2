import Crypto
import CryptoExtras
import Foundation
import TributaryJSON
import WorkspaceCore

/// A token that the provider signed (JWS), and the check of its signature.
///
/// The algorithm is one of two with a key pair. `none` and those with a shared secret are not known here, so no token can
/// choose them: a public key is never taken for a secret.
struct SignedToken: Sendable {
    enum Algorithm: String, Sendable {
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    let algorithm: Algorithm
    /// The id of the key; nil when the token names none.
    let keyId: String?
    let claims: JSONObject
    private let signed: Data
    private let signature: Data

    /// - Throws: `OpenIDFault` for a token that is not of this form.
    init(_ text: String) throws(OpenIDFault) {
        guard text.utf8.count <= Limits.openIDToken else { throw .token("it is too long") }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Self.bytes(parts[2])
        else { throw .token("it is no signed token") }
        guard let name = head["alg"]?.stringValue, let algorithm = Algorithm(rawValue: name) else {
            throw .token("its algorithm is not RS256 or ES256")
        }
        // Such members change what a token means, and none is known here.
        guard head["crit"] == nil, head["b64"] == nil else { throw .token("it has members that are not known here") }
        (self.algorithm, self.claims, self.signature) = (algorithm, claims, signature)
        keyId = head["kid"]?.stringValue
        signed = Data("\(parts[0]).\(parts[1])".utf8)
    }

    /// Whether the provider made it, with one of its keys.
    func isSigned(by keys: [SigningKey]) -> Bool {
        keys.contains { key in
            guard keyId == nil || key.id == nil || key.id == keyId else { return false }
            switch (key.key, algorithm) {
            case (.rsa(let key), .rs256):
                return key.isValidSignature(
                    _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: signed),
                    padding: .insecurePKCS1v1_5)
            case (.p256(let key), .es256):
                guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
                    return false
                }
                return key.isValidSignature(signature, for: signed)
            default: return false
            }
        }
    }

    private static func object(_ text: Substring) -> JSONObject? {
        guard let bytes = bytes(text), case .object(let object)? = try? JSON.parse([UInt8](bytes)) else { return nil }
        return object
    }

    /// The bytes of a text in base64 for addresses, without padding.
    static func bytes(_ text: some StringProtocol) -> Data? {
        let isPlain = text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        guard isPlain else { return nil }
        let plain = String(text).replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }
}

/// A public key of the provider (JWK).
struct SigningKey: Sendable {
    enum Key: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
    }

    let id: String?
    let key: Key

    /// Nil for a key of another kind or use, or one that is too weak.
    init?(_ json: JSON) {
        guard json["use"]?.stringValue ?? "sig" == "sig" else { return nil }
        id = json["kid"]?.stringValue
        func bytes(_ member: String) -> Data? { json[member]?.stringValue.flatMap { SignedToken.bytes($0) } }
        switch json["kty"]?.stringValue {
        case "RSA":
            guard json["alg"]?.stringValue ?? "RS256" == "RS256", let n = bytes("n"), let e = bytes("e"),
                // 2,048 bits at least; more than 8,192 only cost time.
                (256...1_025).contains(n.count), let key = try? _RSA.Signing.PublicKey(n: n, e: e)
            else { return nil }
            self.key = .rsa(key)
        case "EC":
            guard json["crv"] == "P-256", let x = bytes("x"), let y = bytes("y"), x.count == 32, y.count == 32,
                let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
            else { return nil }
            self.key = .p256(key)
        default: return nil
        }
    }
}
