import Crypto
import Foundation
import SwiftASN1
import TributaryJSON
import WorkspaceCore
import X509

/// Signs notifications as the App Store does, with a chain of its own, for the test vectors of functions.
struct AppStoreStandIn: Sendable {
    /// How a chain differs from that of the App Store.
    struct Chain: Sendable {
        var storeMark: ASN1ObjectIdentifier? = AppStoreSignature.storeMark
        var authorityMark: ASN1ObjectIdentifier? = AppStoreSignature.authorityMark
        /// When the certificate of the signer is valid.
        var validity = Date(timeIntervalSince1970: 1_577_836_800)..<Date(timeIntervalSince1970: 2_524_608_000)
    }

    /// From that of the signer to the root, as DER.
    let certificates: [[UInt8]]
    private let key: P256.Signing.PrivateKey

    init(_ chain: Chain = Chain()) throws {
        let keys = (root: P256.Signing.PrivateKey(), middle: P256.Signing.PrivateKey())
        key = P256.Signing.PrivateKey()
        let names = try ["Signer", "Intermediate", "Root"].map { name in
            try DistinguishedName { CommonName("\(name) of a test") }
        }
        let always = Chain().validity
        let root = try Self.certificate(
            keys.root, names[2], signedBy: keys.root, names[2], isAuthority: true, nil, always)
        let middle = try Self.certificate(
            keys.middle, names[1], signedBy: keys.root, names[2], isAuthority: true, chain.authorityMark, always)
        let signer = try Self.certificate(
            key, names[0], signedBy: keys.middle, names[1], isAuthority: false, chain.storeMark, chain.validity)
        certificates = try [signer, middle, root].map { certificate in
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return serializer.serializedBytes
        }
    }

    /// SHA-256 of the root in hexadecimal digits.
    var fingerprint: String { SHA256.hash(data: certificates[2]).hexadecimal }

    /// The body of a request with such a notification. Its `transactionInfo` and `renewalInfo` are signed by themselves, and a
    /// content without `signedDate` gets one.
    func body(_ notification: JSON, now: Int64) throws -> [UInt8] {
        var notification = notification
        if var data = notification["data"]?.objectValue {
            for (plain, name) in [("transactionInfo", "signedTransactionInfo"), ("renewalInfo", "signedRenewalInfo")] {
                guard let content = data[plain] else { continue }
                data[name] = .string(try text(content, now: now))
                data[plain] = Optional<JSON>.none
            }
            notification["data"] = .object(data)
        }
        return (["signedPayload": .string(try text(notification, now: now))] as JSON).encoded()
    }

    /// A signed text.
    /// - Parameter head: replaces members of its head.
    func text(_ content: JSON, now: Int64, head changes: JSONObject = [:]) throws -> String {
        var content = content
        if content["signedDate"] == nil { content["signedDate"] = .number(now) }
        var head: JSONObject = [
            "alg": "ES256", "x5c": .array(certificates.map { .string(Data($0).base64EncodedString()) }),
        ]
        for (name, value) in changes { head[name] = value }
        let signed = Self.base64URL(JSON.object(head).encoded()) + "." + Self.base64URL(content.encoded())
        let signature = try key.signature(for: Data(signed.utf8))
        return signed + "." + Self.base64URL(Array(signature.rawRepresentation))
    }

    static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func certificate(
        _ key: P256.Signing.PrivateKey, _ name: DistinguishedName, signedBy signer: P256.Signing.PrivateKey,
        _ issuer: DistinguishedName, isAuthority: Bool, _ mark: ASN1ObjectIdentifier?, _ validity: Range<Date>
    ) throws -> Certificate {
        var extensions = try Certificate.Extensions {
            if isAuthority {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
            } else {
                Critical(BasicConstraints.notCertificateAuthority)
            }
        }
        // The value of Apple's marks is empty.
        if let mark { try extensions.append(Certificate.Extension(oid: mark, critical: false, value: [5, 0])) }
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
            notValidBefore: validity.lowerBound, notValidAfter: validity.upperBound, issuer: issuer, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions, issuerPrivateKey: .init(signer))
    }
}
