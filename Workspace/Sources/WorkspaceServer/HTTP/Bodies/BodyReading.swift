import HTTPTypes
import Hummingbird
import NIOCore
import WorkspaceCore

/// Reads the body of a request into memory that was lent for it.
enum BodyReading {
    /// The body is larger than is taken.
    struct TooLarge: Error {}

    /// The length of the body as the client names it; nil when it comes in chunks.
    static func namedLength(of request: Request) -> Int? { request.headers[.contentLength].flatMap { Int($0) } }

    /// - Parameters:
    ///   - limit: the most bytes.
    ///   - look: gets the bytes so far while the body is not complete.
    /// - Throws: `TooLarge`, as soon as the headers or the bytes say so; `Refusal` when there is no memory for it.
    static func bytes(
        _ request: Request, limit: Int, _ loan: BodyLoan?, look: (([UInt8]) async throws -> Void)? = nil
    ) async throws -> [UInt8] {
        let length = namedLength(of: request)
        if let length, length > limit { throw TooLarge() }
        var bytes: [UInt8] = []
        // More would be memory that the client only promises to fill.
        if let length { bytes.reserveCapacity(min(length, Limits.shortBody)) }
        for try await chunk in request.body {
            if let look, !bytes.isEmpty { try await look(bytes) }
            guard bytes.count + chunk.readableBytes <= limit else { throw TooLarge() }
            try loan?.take(chunk.readableBytes)
            bytes.append(contentsOf: chunk.readableBytesView)
        }
        return bytes
    }
}
