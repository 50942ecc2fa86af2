import HTTPTypes
import Hummingbird
import NIOCore

/// Reads the body of a request into memory that was lent for it.
enum BodyReading {
    /// The body is larger than is taken.
    struct TooLarge: Error {}

    /// - Parameters:
    ///   - limit: the most bytes.
    ///   - look: gets the bytes so far while the body is not complete.
    /// - Throws: `TooLarge`, as soon as the headers or the bytes say so; `Refusal` when there is no memory for it.
    static func bytes(
        _ request: Request, limit: Int, _ loan: BodyLoan?, look: ([UInt8]) async throws -> Void = { _ in }
    ) async throws -> [UInt8] {
        let said = request.headers[.contentLength].flatMap { Int($0) }
        if let said, said > limit { throw TooLarge() }
        var bytes: [UInt8] = []
        for try await chunk in request.body {
            if !bytes.isEmpty { try await look(bytes) }
            guard bytes.count + chunk.readableBytes <= limit else { throw TooLarge() }
            try loan?.take(chunk.readableBytes)
            bytes.append(contentsOf: chunk.readableBytesView)
        }
        return bytes
    }
}
