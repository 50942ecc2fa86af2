import HTTPTypes
import Hummingbird
import WorkspaceCore

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
            throw RequestText.tooLarge
        }
    }

    /// The text of the body.
    func plain() throws -> [UInt8] {
        let plain = try RequestText.plain(raw, isCompressed: isCompressed)
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
}
