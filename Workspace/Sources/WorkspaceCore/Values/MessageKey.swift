import Crypto
package import Foundation

/// Identifies a row in the index of messages: a digest, so it is short however long an id is, and does not reveal the
/// id.
///
/// The digest has 16 bytes. Nobody can find two ids with the same digest by searching.
package struct MessageKey: Sendable, Hashable, Comparable {
    let high: UInt64
    package let low: UInt64

    /// A key from a file of message ids.
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    package init(_ kind: RowIdentity.Kind, _ id: String) {
        var text = [kind.rawValue]
        text.append(contentsOf: id.utf8)
        self = SHA256.hash(data: text).withUnsafeBytes(MessageKey.init(from:))
    }

    /// A key from the index; nil when it has another length.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(from: bytes)
    }

    private init(from bytes: UnsafeRawBufferPointer) {
        high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    private static let byteCount = 16

    package var data: Data { withBytes { Data($0) } }

    /// Calls the body with the bytes that the index stores.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
    }

    /// A digest's bits are as good as random.
    package func hash(into hasher: inout Hasher) { hasher.combine(low) }

    /// The order of the index.
    package static func < (left: MessageKey, right: MessageKey) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
