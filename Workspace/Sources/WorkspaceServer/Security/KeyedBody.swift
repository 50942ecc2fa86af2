import GzipReading
import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Reads the body of a request with a write key, and looks for the key before most of the body has come.
///
/// Clients send the key in a header, in the query or in the body, sometimes at its end. A body whose key is not
/// known yet gets memory from the part that all senders without a key share.
struct KeyedBody {
    let sources: SourceRegistry
    let memory: BodyMemory

    /// - Parameter isCompressed: whether the body is in gzip.
    /// - Throws: 401 when the beginning of the body has a key that is not known; `BodyReading.TooLarge`.
    func read(
        _ request: Request, limit: Int, isCompressed: Bool
    ) async throws -> (bytes: [UInt8], loan: BodyLoan) {
        let keys = WriteKey.all(of: request, body: nil)
        let isKnown = keys.isEmpty ? false : await sources.source(ofClientWithOneOf: keys) != nil
        let loan = BodyLoan(memory, isKnown ? .source : .unknown)
        // A short body is there soon, so its beginning is not scanned apart from the rest.
        let isShort = !isCompressed && BodyReading.namedLength(of: request) ?? .max <= Limits.shortBody
        guard !isKnown, !isShort else { return (try await BodyReading.bytes(request, limit: limit, loan), loan) }
        var isLookedAt = false
        let bytes = try await BodyReading.bytes(request, limit: limit, loan) { bytes in
            guard !isLookedAt, bytes.count >= Limits.bodyBeginning else { return }
            isLookedAt = true
            guard let key = Self.key(inBeginning: bytes, isCompressed: isCompressed) else { return }
            _ = try await source(of: request, key: key)
            try loan.know(.source)
        }
        return (bytes, loan)
    }

    /// The source that a request belongs to: that of the first of its write keys that a source has.
    ///
    /// A proxy may have put a name of its own into a header, so an unknown key is passed over.
    ///
    /// - Parameter key: the write key in the body.
    /// - Throws: 401 with the first key when no source has any of them.
    func source(of request: Request, key: String?) async throws(Refusal) -> Source {
        let keys = WriteKey.all(of: request, body: key)
        if let source = await sources.source(ofClientWithOneOf: keys) { return source }
        guard let first = keys.first else { throw Refusal(.unauthorized, "the request has no write key") }
        throw WriteKey.unknown(first)
    }

    /// The write key of a body of which only the beginning is there; nil when the beginning has none.
    static func key(inBeginning bytes: [UInt8], isCompressed: Bool) -> String? {
        let beginning = Array(bytes.prefix(Limits.bodyBeginning))
        let text = isCompressed ? Gunzip.beginning(of: beginning, limit: Limits.bodyBeginning) : beginning
        return text.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            var key: String?
            // The text ends somewhere, so the scan ends with an error; what it found before counts.
            try? scanner.document { scanner throws(JSONError) in
                guard scanner.peek == UInt8(ascii: "{") else { throw scanner.malformed("no object") }
                try scanner.object { scanner, name throws(JSONError) in
                    let value = try scanner.value()
                    guard name.isName("writeKey", in: bytes) else { return }
                    key = ScannedObject.text(value, bytes)
                    throw scanner.malformed("the rest is not needed")
                }
            }
            return key
        }
    }
}
