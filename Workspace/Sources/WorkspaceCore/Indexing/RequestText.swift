import GzipReading

/// Inflates the bodies of requests.
package enum RequestText {
    /// The text of a body, when it is short enough to be checked on an event loop; nil for a longer one, and for bytes
    /// that are not gzip.
    package static func short(_ raw: [UInt8], isCompressed: Bool) -> [UInt8]? {
        let limit = Limits.checkedOnEventLoop
        guard raw.count <= limit else { return nil }
        guard isCompressed else { return raw }
        // Gzip ends with the length of its text (RFC 1952), so a long text is not inflated in vain. Inflating ends at the
        // limit all the same, because anybody may write another length.
        let length = raw.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        return length > limit ? nil : try? Gunzip.inflate(raw, limit: limit)
    }

    /// The text of a body.
    package static func plain(_ raw: [UInt8], isCompressed: Bool) throws(Refusal) -> [UInt8] {
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

    /// Refuses a body that is too large. Clients of the field send a batch again and again after a 413.
    package static var tooLarge: Refusal {
        .invalid("the body is too large: at most \(Limits.ingestBody) bytes are taken, inflated or not")
    }
}
