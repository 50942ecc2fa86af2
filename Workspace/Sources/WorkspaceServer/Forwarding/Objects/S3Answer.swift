import Foundation
import NIOHTTP1
import WorkspaceCore

/// The answer of a store with the interface of S3 to an object, with advice for operators.
///
/// An object is never refused for good: each problem concerns the whole destination, so its events wait.
struct S3Answer: Sendable, Equatable {
    let answer: ForwardingAnswer

    /// - Parameters:
    ///   - body: the document of an error, if there was one.
    ///   - retryAfter: the pause that the store asked for, in milliseconds.
    init(status: HTTPResponseStatus, body: String, retryAfter: Int64?, settings: S3Settings) {
        guard !(200..<300).contains(status.code) else {
            answer = .accepted("\(status.code) \(status.reasonPhrase)")
            return
        }
        let code = Self.member("Code", of: body)
        let name = code.map { "\(status.code) \($0)" } ?? "\(status.code) \(status.reasonPhrase)"
        let region = Self.member("Region", of: body)
        let advice = Self.advice(status.code, code ?? "", region, settings)
        answer = .unavailable("\(name): \(advice)", retryAfter: retryAfter)
    }

    private static func advice(_ status: UInt, _ code: String, _ region: String?, _ settings: S3Settings) -> String {
        switch (status, code) {
        case (_, "SignatureDoesNotMatch"):
            "the secret access key does not belong to the access key \(settings.accessKey); store it again"
        case (_, "InvalidAccessKeyId"): "the store does not know the access key \(settings.accessKey); correct it"
        case (_, "RequestTimeTooSkewed"): "the clock of this server is wrong; correct it"
        case (_, "NoSuchBucket"): "there is no bucket \(settings.bucket); make it, or correct the name"
        case (_, "AuthorizationHeaderMalformed"), (_, "PermanentRedirect"), (301, _), (307, _):
            region.map { "the bucket is in the region \($0); correct region and endpoint" }
                ?? "the bucket is in another region; correct region and endpoint"
        case (401, _), (403, _):
            "the access key \(settings.accessKey) may not write into the bucket \(settings.bucket); "
                + "allow it s3:PutObject"
        case (404, _): "the endpoint has no such bucket; correct endpoint, bucket and path style"
        case (429, _), (500..., _): "the store cannot take it at present; this is tried again"
        default: "the store does not take it; is the endpoint the address of a store with the interface of S3?"
        }
    }

    /// The text of an element, when it is a plain word: the document comes from outside.
    private static func member(_ name: String, of document: String) -> String? {
        guard let begin = document.range(of: "<\(name)>"),
            let end = document[begin.upperBound...].range(of: "</\(name)>")
        else { return nil }
        let word = document[begin.upperBound..<end.lowerBound]
        let isPlain = word.unicodeScalars.allSatisfy {
            $0 == "-" || ($0.isASCII && CharacterSet.alphanumerics.contains($0))
        }
        return (1...64).contains(word.utf8.count) && isPlain ? String(word) : nil
    }
}
