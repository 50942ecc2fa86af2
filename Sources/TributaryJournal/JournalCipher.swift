/// Encrypts the content of a journal; `TributaryEncryption` has an implementation.
///
/// The journal sees only bytes. Payloads and snapshots are sealed one by one. Sequences, sizes, times, tags and the
/// bytes of the mark are not sealed.
public protocol JournalCipher: Sendable {
    /// The seal for one epoch of a journal, with a key of its own.
    func seal(epoch: UInt64) -> any JournalSeal
}

/// Seals and opens the payloads of one epoch of a journal. Every method may be called on any thread.
public protocol JournalSeal: Sendable {
    /// 16 bytes that identify this key without revealing it. They are the same each time.
    var keyCheck: [UInt8] { get }
    /// The number of bytes that sealing adds to a payload.
    var overhead: Int { get }
    /// Seals a payload. The result differs each time, and can only be opened with the same `context`.
    func close(_ payload: UnsafeRawBufferPointer, context: [UInt8]) throws -> [UInt8]
    /// Opens sealed bytes; nil when they were changed, or were sealed with another key or context.
    func open(_ sealed: UnsafeRawBufferPointer, context: [UInt8]) -> [UInt8]?
}
