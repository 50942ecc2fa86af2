import GzipReading
import HTTPTypes
import Hummingbird

/// The body of an ingest request, as it arrived and inflated.
///
/// Permanent refusals are 400: clients of the field send a batch again and again after a 413 or 422.
struct IngestBody {
    /// The bytes as they arrived.
    let raw: [UInt8]
    let isCompressed: Bool
    private let loan: BodyLoan

    init(_ request: Request, _ body: KeyedBody) async throws {
        isCompressed = try Self.isCompressed(request.headers[.contentEncoding])
        do {
            (raw, loan) = try await body.read(request, limit: Limits.ingestBody, isCompressed: isCompressed)
        } catch is BodyReading.TooLarge {
            throw Self.tooLarge
        }
    }

    /// The text of the body.
    func plain() throws -> [UInt8] {
        let plain = try Self.plain(raw, isCompressed: isCompressed)
        if isCompressed { try loan.take(plain.count) }
        return plain
    }

    /// Keeps the memory of the body until the work is done.
    func whileInMemory<Result>(_ work: () async throws -> Result) async throws -> Result {
        defer { withExtendedLifetime(loan) {} }
        return try await work()
    }

    private static func isCompressed(_ encoding: String?) throws(Refusal) -> Bool {
        switch encoding?.lowercased() {
        case nil, "", "identity": return false
        case "gzip", "x-gzip": return true
        case let encoding?:
            throw Refusal(.wrongMediaType, "Content-Encoding \(encoding) is not understood; gzip is")
        }
    }

    /// The text of a body, when it is short enough to be checked on an event loop; nil for a longer one, and for bytes
    /// that are not gzip.
    static func short(_ raw: [UInt8], isCompressed: Bool) -> [UInt8]? {
        let limit = Limits.checkedOnEventLoop
        guard raw.count <= limit else { return nil }
        guard isCompressed else { return raw }
        // Gzip ends with the length of its text (RFC 1952), so a long text is not inflated in vain. Inflating ends at the
        // limit all the same, because anybody may write another length.
        let length = raw.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        return length > limit ? nil : try? Gunzip.inflate(raw, limit: limit)
    }

    /// The text of a body.
    static func plain(_ raw: [UInt8], isCompressed: Bool) throws(Refusal) -> [UInt8] {
        guard isCompressed else { return raw }
        do throws(Gunzip.Failure) {
            return try Gunzip.inflate(raw, limit: Limits.ingestBody)
        } catch {
            switch error {
            case .tooLarge: throw tooLarge
            case .malformed(let detail): throw .invalid("the body is not gzip: \(detail)")
            }
        }
    }

    private static var tooLarge: Refusal {
        .invalid("the body is too large: at most \(Limits.ingestBody) bytes are taken, inflated or not")
    }
}
