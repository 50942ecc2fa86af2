import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import WorkspaceCore

/// Writes objects into a bucket.
struct S3Store: Sendable {
    let settings: S3Settings
    /// Empty until an operator stores it.
    let secret: [UInt8]
    /// The part of the names of all objects of the destination after the prefix of the settings.
    let folder: String
    let client: HTTPClient
    let now: @Sendable () -> Int64

    /// Writes an object, in the place of one with the same name.
    func put(_ name: String, _ body: [UInt8], type: String) async -> ForwardingAnswer {
        guard !secret.isEmpty else {
            return .unavailable("there is no secret access key; store the one of the access key \(settings.accessKey)")
        }
        let path = [settings.prefix, folder, name].filter { !$0.isEmpty }.joined(separator: "/")
        do {
            let response = try await client.execute(
                request(try S3Address(path, settings), body, type), timeout: .seconds(Limits.objectTimeoutSeconds))
            let pause = response.headers.first(name: "Retry-After").flatMap { RetryAfter.milliseconds($0, now: now()) }
            // The body of every answer is read, because a connection with an unread answer cannot be used again.
            let text = await AnswerText.read(response, upTo: Limits.s3Answer)
            return S3Answer(status: response.status, body: text, retryAfter: pause, settings: settings).answer
        } catch {
            return .unavailable("no answer from \(settings.endpoint): \(AnswerText.reason(error))")
        }
    }

    /// Whether objects can be written. The object that is written for it has always the same name.
    func test() async -> ForwardingAnswer {
        let answer = await put(".test", [UInt8(ascii: "\n")], type: "text/plain")
        guard case .accepted = answer else { return answer }
        return .accepted("that its bucket \(settings.bucket) can be written")
    }

    private func request(_ address: S3Address, _ body: [UInt8], _ type: String) -> HTTPClientRequest {
        let time = S3Signature.time(now())
        let digest = S3Signature.digest(body)
        let headers = [
            "host": address.host, "content-type": type, "x-amz-content-sha256": digest, "x-amz-date": time,
        ]
        let signature = S3Signature(accessKey: settings.accessKey, secret: secret, region: settings.region)
        let signed = S3Signature.Request(method: "PUT", path: address.path, headers: headers, bodyDigest: digest)
        var request = address.address.request(.PUT)
        request.headers = ["User-Agent": "Tributary", "Authorization": signature.authorization(signed, time: time)]
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        return request
    }
}

/// Where an object of a bucket is.
struct S3Address: Sendable, Equatable {
    let address: ServiceAddress
    /// The value of the header `Host`.
    let host: String
    /// The path of the address, percent-encoded as the signature wants it.
    let path: String

    /// - Parameter name: of the object.
    /// - Throws: when bucket and endpoint together are no name of a host.
    init(_ name: String, _ settings: S3Settings) throws(ServiceAddress.Problem) {
        let endpoint = settings.endpoint
        // A client does not send the usual port of a scheme.
        let usual = endpoint.scheme == "https" ? ":443" : ":80"
        let authority =
            endpoint.authority.hasSuffix(usual) && endpoint.port != nil
            ? String(endpoint.authority.dropLast(usual.count)) : endpoint.authority
        if settings.pathStyle {
            (host, path) = (authority, "/\(settings.bucket)/\(Self.encoded(name))")
        } else {
            (host, path) = ("\(settings.bucket).\(authority)", "/\(Self.encoded(name))")
        }
        address = try ServiceAddress("\(endpoint.scheme)://\(host)").with(target: path)
    }

    /// Percent-encodes every byte that is no letter, digit, `-`, `.`, `_`, `~` or slash.
    static func encoded(_ name: String) -> String {
        name.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
}
