import Crypto
import Foundation
import TributaryJSON
import WorkspaceCore

/// Signs requests with AWS Signature Version 4, in the form that S3 wants: each part of the path is encoded once.
/// Source: "Authenticating Requests: Using the Authorization Header" in the reference of the S3 API.
struct S3Signature: Sendable {
    let accessKey: String
    let secret: [UInt8]
    let region: String

    /// A request before it is signed.
    struct Request: Sendable {
        let method: String
        /// Percent-encoded.
        let path: String
        /// The encoded parameters in the order of their names.
        var query = ""
        /// Names in lower case.
        let headers: [String: String]
        /// The SHA-256 digest of the body in hexadecimal.
        let bodyDigest: String
    }

    /// The value of the header `Authorization`.
    /// - Parameter time: that of the header `x-amz-date`, from `time(_:)`.
    func authorization(_ request: Request, time: String) -> String {
        let names = request.headers.keys.sorted()
        let headers = names.map { "\($0):\((request.headers[$0] ?? "").trimmingCharacters(in: .whitespaces))\n" }
        let signed = names.joined(separator: ";")
        let canonical = [
            request.method, request.path, request.query, headers.joined(), signed, request.bodyDigest,
        ].joined(separator: "\n")
        let scope = "\(time.prefix(8))/\(region)/s3/aws4_request"
        let text = ["AWS4-HMAC-SHA256", time, scope, Self.digest(Array(canonical.utf8))].joined(separator: "\n")
        let signature = Self.code(Array(text.utf8), key(scope))
        return "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope), SignedHeaders=\(signed), "
            + "Signature=\(signature.map(Self.hexadecimal).joined())"
    }

    /// `20261125T020518Z`.
    static func time(_ milliseconds: Int64) -> String {
        String(ISO8601.string(milliseconds: milliseconds).prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
    }

    static func digest(_ bytes: [UInt8]) -> String { SHA256.hash(data: bytes).hexadecimal }

    /// The key that signs, made of the secret and each part of the scope.
    private func key(_ scope: String) -> [UInt8] {
        scope.split(separator: "/").reduce(Array("AWS4".utf8) + secret) { key, part in Self.code(Array(part.utf8), key)
        }
    }

    private static func code(_ bytes: [UInt8], _ key: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
