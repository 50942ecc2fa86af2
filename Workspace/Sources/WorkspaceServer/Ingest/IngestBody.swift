import HTTPTypes
import Hummingbird
import NIOCore
import TributaryJSON

/// Gets the JSON out of an ingest request.
///
/// Permanent refusals are 400: clients of the field send a batch again and again after a 413 or 422.
enum IngestBody {
    static func read(_ request: Request) async throws -> JSON {
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: Limits.ingestBody)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        }
        return try json(buffer, encoding: request.headers[.contentEncoding])
    }

    private static func json(_ buffer: ByteBuffer, encoding: String?) throws -> JSON {
        switch encoding?.lowercased() {
        case nil, "", "identity":
            return try buffer.withUnsafeReadableBytes { try parse($0) }
        case "gzip", "x-gzip":
            let inflated = try buffer.withUnsafeReadableBytes { try inflate($0) }
            return try inflated.withUnsafeBytes { try parse($0) }
        case let encoding?:
            throw APIError(.unsupportedMediaType, "Content-Encoding \(encoding) is not understood; gzip is")
        }
    }

    private static func inflate(_ bytes: UnsafeRawBufferPointer) throws(APIError) -> [UInt8] {
        do {
            return try Gunzip.inflate(bytes, limit: Limits.ingestBody)
        } catch {
            switch error {
            case .tooLarge: throw tooLarge
            case .malformed(let detail): throw .badRequest("the body is not gzip: \(detail)")
            }
        }
    }

    private static func parse(_ bytes: UnsafeRawBufferPointer) throws(APIError) -> JSON {
        do {
            return try JSON.parse(bytes, limits: JSONLimits(depth: Limits.depth, bytes: Limits.ingestBody))
        } catch {
            throw .badRequest("the body is not JSON: \(error)")
        }
    }

    private static var tooLarge: APIError {
        .badRequest("the body is too large: at most \(Limits.ingestBody) bytes are taken, inflated or not")
    }
}
