import WorkspaceCore

/// How much a client has sent that is no body: heads, the heads of chunks with their extensions, trailers, and space and
/// empty lines in between. A pure value.
///
/// The reader of requests passes these bytes and hands over nothing for most of them. Without a limit, a client could
/// send them without end, and no limit of a body would notice.
struct FramingCount: Equatable {
    private var left = Limits.framingBytes

    /// Whether a client has sent more than a request needs.
    var isTooMuch: Bool { left < 0 }

    /// Bytes have come.
    mutating func arrived(_ count: Int) { left -= count }

    /// Of the bytes that have come, so many are a body.
    mutating func foundBody(_ count: Int) {
        left = min(Limits.framingBytes, left + count * (1 + Limits.framingBytesOfBodyByte))
    }

    /// A head is complete, or a request is.
    mutating func foundPart() { left = Limits.framingBytes }
}
