/// Encrypts what a journal stores; `TributaryEncryption` has an implementation.
///
/// The journal knows bytes only. Payloads and snapshots are sealed one by one; sequences, sizes, times, tags and the bytes
/// of the mark are not.
public protocol JournalCipher: Sendable {
    /// The seal for one life of a journal, with a key of its own.
    func seal(epoch: UInt64) -> any JournalSeal
}

/// Seals and opens the payloads of one life of a journal. Every method may be called on any thread.
public protocol JournalSeal: Sendable {
    /// 16 bytes that tell this key from others without giving it away; the same each time.
    var keyCheck: [UInt8] { get }
    /// Bytes by which sealing makes a payload longer.
    var overhead: Int { get }
    /// The sealed bytes; they come out different each time, and can only be opened with the same `context`.
    func close(_ payload: UnsafeRawBufferPointer, context: [UInt8]) throws -> [UInt8]
    /// What was sealed; nil when it was changed, sealed with another key or in another context.
    func open(_ sealed: UnsafeRawBufferPointer, context: [UInt8]) -> [UInt8]?
}
