import Crypto
import Foundation

/// What the index of messages knows a row by: a digest, so that it is short however long an id is, and says nothing.
///
/// 16 bytes; two ids that agree in them are not found by searching.
struct MessageKey: Sendable, Hashable, Comparable {
    let high: UInt64
    let low: UInt64

    /// A key as a file of message ids has it.
    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    init(_ kind: RowIdentity.Kind, _ id: String) {
        var text = [kind.rawValue]
        text.append(contentsOf: id.utf8)
        self = SHA256.hash(data: text).withUnsafeBytes(MessageKey.init(from:))
    }

    /// A key as the index has it; nil for one of another length.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(from: bytes)
    }

    private init(from bytes: UnsafeRawBufferPointer) {
        high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    private static let byteCount = 16

    var data: Data { withBytes { Data($0) } }

    /// Calls with the key as the index has it.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
    }

    /// A digest's bits are as good as random.
    func hash(into hasher: inout Hasher) { hasher.combine(low) }

    /// In the order of the index.
    static func < (left: MessageKey, right: MessageKey) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
