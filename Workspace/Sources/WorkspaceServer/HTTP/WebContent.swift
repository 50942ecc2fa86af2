import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import WorkspaceCore

/// A file for browsers, as it is and compressed.
struct WebContent: Sendable {
    let plain: ByteBuffer
    /// Nil when the compressed content is not shorter.
    let compressed: ByteBuffer?
    /// The SHA-256 of the content, in hexadecimal digits.
    let digest: String

    init(_ bytes: [UInt8]) {
        plain = ByteBuffer(bytes: bytes)
        digest = SHA256.hash(data: bytes).hexadecimal
        compressed = Self.compressed(bytes)
    }

    private static func compressed(_ bytes: [UInt8]) -> ByteBuffer? {
        // Without memory for it, browsers get the content as it is.
        guard let text = try? GzipText(), (try? text.append(bytes)) != nil, let short = try? text.finished() else {
            return nil
        }
        return short.count < bytes.count ? ByteBuffer(bytes: short) : nil
    }

    /// - Parameter isKept: whether the address names this very content, so that browsers never need to ask for it again.
    func answer(_ request: Request, type: String, isKept: Bool) -> Response {
        var headers: HTTPFields = [.contentType: "\(type); charset=utf-8", .vary: "Accept-Encoding"]
        if isKept { headers[.cacheControl] = "public, max-age=31536000, immutable" }
        guard let compressed, request.acceptsGzip else {
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: plain))
        }
        headers[.contentEncoding] = "gzip"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: compressed))
    }
}
