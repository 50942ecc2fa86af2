import Hummingbird
import NIOCore
import TributaryJSON
import WorkspaceCore

/// Reads the bodies of administrative requests, into the memory that was lent for the request.
enum AdministrationBody {
    static func json(_ request: Request) async throws -> JSON {
        guard let json = try await optionalJSON(request) else { throw Refusal.invalid("the body is empty") }
        return json
    }

    /// Nil when the body is empty.
    static func optionalJSON(_ request: Request) async throws -> JSON? {
        let buffer = try await bytes(request, limit: Limits.administrationBody)
        guard buffer.readableBytes > 0 else { return nil }
        do {
            return try buffer.withUnsafeReadableBytes { bytes in
                try JSON.parse(bytes, limits: JSONLimits(depth: Limits.depth, bytes: Limits.administrationBody))
            }
        } catch {
            throw Refusal.invalid("the body is not JSON: \(error)")
        }
    }

    static func bytes(_ request: Request, limit: Int) async throws -> ByteBuffer {
        do {
            return ByteBuffer(bytes: try await BodyReading.bytes(request, limit: limit, .current))
        } catch is BodyReading.TooLarge {
            throw Refusal(.tooLarge, "the body is too large: at most \(limit) bytes are taken")
        }
    }
}
