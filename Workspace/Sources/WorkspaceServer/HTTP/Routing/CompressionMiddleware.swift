import HTTPTypes
import Hummingbird
import NIOCore
import WorkspaceCore

/// Compresses answers in JSON for clients that read gzip. Lists of events become about ten times shorter.
///
/// It is only for routes that need a login or a token. A page of another site could guess a secret from the lengths of
/// compressed answers, but its requests have no cookie: the cookie of a login is strictly for the own site.
struct CompressionMiddleware: RouterMiddleware {
    /// Bytes below which an answer fits into one packet anyway.
    private static let leastBytes = 1_024

    func handle(
        _ request: Request, context: WorkspaceContext, next: (Request, WorkspaceContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // A stream has no length, and its reader waits for each message.
        guard let length = response.body.contentLength, length >= Self.leastBytes,
            response.headers[.contentType]?.hasPrefix("application/json") == true
        else { return response }
        response.headers[.vary] = "Accept-Encoding"
        guard request.acceptsGzip else { return response }
        let body = response.body
        response.headers[.contentEncoding] = "gzip"
        response.body = ResponseBody { try await body.write(GzipWriter(parent: $0, text: try GzipText())) }
        return response
    }
}

/// Writes what it gets to another writer, compressed.
private struct GzipWriter: ResponseBodyWriter {
    var parent: any ResponseBodyWriter
    let text: GzipText

    mutating func write(_ buffer: ByteBuffer) async throws { try text.append(Array(buffer.readableBytesView)) }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await parent.write(ByteBuffer(bytes: try text.finished()))
        try await parent.finish(trailingHeaders)
    }
}
