import GzipReading
import HTTPTypes
import Hummingbird
import NIOCore

/// The body of an ingest request, as it arrived and inflated.
///
/// Permanent refusals are 400: clients of the field send a batch again and again after a 413 or 422.
struct IngestBody {
    /// The bytes as they arrived.
    let raw: [UInt8]
    let isCompressed: Bool

    init(raw: [UInt8], isCompressed: Bool) { (self.raw, self.isCompressed) = (raw, isCompressed) }

    init(_ request: Request) async throws {
        isCompressed = try Self.isCompressed(request.headers[.contentEncoding])
        do {
            let buffer = try await request.body.collect(upTo: Limits.ingestBody)
            raw = Array(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Self.tooLarge
        }
    }

    private static func isCompressed(_ encoding: String?) throws(APIError) -> Bool {
        switch encoding?.lowercased() {
        case nil, "", "identity": return false
        case "gzip", "x-gzip": return true
        case let encoding?:
            throw APIError(.unsupportedMediaType, "Content-Encoding \(encoding) is not understood; gzip is")
        }
    }

    /// The text, when it is short enough to be checked on an event loop; nil for a longer one, and for what is not gzip.
    var short: [UInt8]? {
        guard raw.count <= Limits.checkedOnEventLoop else { return nil }
        // A small body may become a large text, so inflating ends at the limit, too.
        return isCompressed ? try? Gunzip.inflate(raw, limit: Limits.checkedOnEventLoop) : raw
    }

    /// The text of a body.
    static func plain(_ raw: [UInt8], isCompressed: Bool) throws(APIError) -> [UInt8] {
        guard isCompressed else { return raw }
        do throws(Gunzip.Failure) {
            return try Gunzip.inflate(raw, limit: Limits.ingestBody)
        } catch {
            switch error {
            case .tooLarge: throw tooLarge
            case .malformed(let detail): throw .badRequest("the body is not gzip: \(detail)")
            }
        }
    }

    private static var tooLarge: APIError {
        .badRequest("the body is too large: at most \(Limits.ingestBody) bytes are taken, inflated or not")
    }
}
