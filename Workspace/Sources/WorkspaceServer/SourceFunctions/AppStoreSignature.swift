import Crypto
import Foundation
import SwiftASN1
import TributaryJSON
import WorkspaceCore
@_spi(FixedExpiryValidationTime) import X509

/// Checks what the App Store signs: texts in the compact form of JWS, with the chain of certificates that signed them.
///
/// A chain has three certificates: the signer's with Apple's mark for the App Store, an intermediate with Apple's mark for
/// that, and the root with a known fingerprint. All were valid when the text was signed.
struct AppStoreSignature: Sendable {
    /// SHA-256 of "Apple Root CA - G3", which https://www.apple.com/certificateauthority/ offers.
    static let appleRoot = "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"
    /// The marks by which Apple tells certificates of the App Store and of its intermediate authority from others.
    static let storeMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
    static let authorityMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

    /// SHA-256 of the certificate with which a chain has to end.
    private let root: [UInt8]

    /// - Parameter fingerprint: SHA-256 of a root in hexadecimal digits, with or without colons; empty for Apple's.
    /// - Throws: `Refusal` for another text.
    init(fingerprint: String) throws(Refusal) {
        let digits = fingerprint.isEmpty ? Self.appleRoot : fingerprint.replacing(":", with: "")
        guard let root = SourceVerification.Encoding.hex.bytes(digits), root.count == SHA256.byteCount else {
            throw Refusal(
                .unavailable, "the fingerprint of the root is no SHA-256 in hexadecimal digits",
                retryAfter: Limits.hookPauseAfterFault)
        }
        self.root = root
    }

    /// The content of a notification, in which the signed texts about transaction and renewal are replaced by their contents.
    /// - Parameters:
    ///   - body: `{"signedPayload": "…"}`.
    ///   - now: milliseconds since 1970.
    /// - Throws: `Refusal` with 401 when any of it is not signed as it has to be.
    func notification(_ body: [UInt8], now: Int64) async throws(Refusal) -> JSON {
        guard let json = Self.json(body), let signed = json["signedPayload"]?.stringValue else {
            throw Self.refusal("the body has no signedPayload")
        }
        var notification = try await payload(of: signed, now: now)
        guard var data = notification["data"]?.objectValue else { return notification }
        for (name, plain) in [("signedTransactionInfo", "transactionInfo"), ("signedRenewalInfo", "renewalInfo")] {
            // Only a content that was signed by itself may have the plain name.
            data[plain] = Optional<JSON>.none
            guard let signed = data[name] else { continue }
            guard let text = signed.stringValue else { throw Self.refusal("\(name) is no text") }
            data[plain] = try await payload(of: text, now: now)
            data[name] = Optional<JSON>.none
        }
        notification["data"] = .object(data)
        return notification
    }

    /// The content of a signed text.
    func payload(of text: String, now: Int64) async throws(Refusal) -> JSON {
        guard text.utf8.count <= Limits.appStoreText else { throw Self.refusal("a signed text is too long") }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Self.base64URL(parts[0]).flatMap(Self.json),
            let content = Self.base64URL(parts[1]), let signature = Self.base64URL(parts[2])
        else { throw Self.refusal("a signed text has not the form of JWS") }
        let chain = try certificates(head)
        guard let payload = Self.json(content), payload.objectValue != nil,
            let signedAt = payload["signedDate"]?.numberValue?.int64
        else { throw Self.refusal("a signed text has no signedDate") }
        guard signedAt <= now + Limits.signatureTolerance * 1_000 else {
            throw Self.refusal("a signed text is of a time to come")
        }
        try await check(chain, at: signedAt)
        let signed = Data("\(parts[0]).\(parts[1])".utf8)
        guard let key = P256.Signing.PublicKey(chain[0].publicKey),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            key.isValidSignature(signature, for: signed)
        else { throw Self.refusal("a signature does not fit its text and its certificate") }
        return payload
    }

    /// The certificates that a text names, from that of its signer to the root.
    private func certificates(_ head: JSON) throws(Refusal) -> [Certificate] {
        guard head["alg"]?.stringValue == "ES256", head["crit"] == nil else {
            throw Self.refusal("a signed text has another algorithm than ES256")
        }
        let texts = (head["x5c"]?.elements ?? []).compactMap(\.stringValue)
        guard texts.count == 3, head["x5c"]?.elements?.count == 3,
            texts.allSatisfy({ $0.utf8.count <= Limits.appStoreCertificate })
        else { throw Self.refusal("a signed text has not the three certificates of the App Store") }
        let files = texts.compactMap { Data(base64Encoded: $0) }
        guard files.count == 3, let last = files.last, Array(SHA256.hash(data: last)) == root else {
            throw Self.refusal("the certificates do not end with the root that is trusted")
        }
        let certificates = files.compactMap { try? Certificate(derEncoded: Array($0)) }
        guard certificates.count == 3 else { throw Self.refusal("a certificate cannot be read") }
        return certificates
    }

    private func check(_ chain: [Certificate], at time: Int64) async throws(Refusal) {
        let date = Date(timeIntervalSince1970: TimeInterval(time) / 1_000)
        var verifier = Verifier(rootCertificates: CertificateStore([chain[2]])) {
            RFC5280Policy(fixedExpiryValidationTime: date)
            AppStorePolicy()
        }
        switch await verifier.validate(leaf: chain[0], intermediates: CertificateStore([chain[1]])) {
        case .validCertificate: return
        case .couldNotValidate:
            throw Self.refusal("the certificates are no chain of the App Store that was valid when the text was signed")
        }
    }

    private static func refusal(_ message: String) -> Refusal { Refusal(.unauthorized, message) }

    private static func json(_ bytes: [UInt8]) -> JSON? {
        try? JSON.parse(bytes, limits: JSONLimits(depth: Limits.depth, bytes: Limits.hookBody))
    }

    /// Base 64 with the letters for addresses and without padding; nil for another text.
    private static func base64URL(_ text: Substring) -> [UInt8]? {
        let isPlain = text.utf8.allSatisfy {
            $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        guard isPlain, !text.isEmpty else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let usual = String(text).replacing("-", with: "+").replacing("_", with: "/") + padding
        return Data(base64Encoded: usual).map(Array.init)
    }
}

/// The rules of the App Store for a chain, besides those of all chains.
private struct AppStorePolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        guard chain.count == 3 else { return .failsToMeetPolicy(reason: "the chain has not three certificates") }
        guard chain[1].extensions[oid: AppStoreSignature.authorityMark] != nil else {
            return .failsToMeetPolicy(reason: "the intermediate certificate has not the mark of Apple's authority")
        }
        guard chain[0].extensions[oid: AppStoreSignature.storeMark] != nil else {
            return .failsToMeetPolicy(reason: "the certificate has not the mark of the App Store")
        }
        return .meetsPolicy
    }
}
