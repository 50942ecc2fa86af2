/// A message that the index knows: its digest, its source, and when it arrived.
package struct MessageEntry: Sendable, Hashable, Comparable {
    package let key: MessageKey
    package let source: Int64
    /// Milliseconds since 1970. The row of an event is found by it; of other rows it says nothing.
    package let receivedAt: Int64

    /// The entry in a file: four numbers of 8 bytes.
    package static let byteCount = 32

    package init(key: MessageKey, source: Int64, receivedAt: Int64) {
        (self.key, self.source, self.receivedAt) = (key, source, receivedAt)
    }

    /// Reads an entry at a place of a buffer that has all of it.
    package init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        func number(_ index: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8 * index, as: UInt64.self))
        }
        key = MessageKey(high: number(0), low: number(1))
        source = Int64(bitPattern: number(2))
        receivedAt = Int64(bitPattern: number(3))
    }

    package func append(to bytes: inout [UInt8]) {
        for number in [key.high, key.low, UInt64(bitPattern: source), UInt64(bitPattern: receivedAt)] {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
    }

    /// Whether both are the same message, whenever it arrived.
    func isSameMessage(as other: MessageEntry) -> Bool { key == other.key && source == other.source }

    /// In the order of a file: by key, then by source.
    package static func < (left: MessageEntry, right: MessageEntry) -> Bool {
        left.key == right.key ? left.source < right.source : left.key < right.key
    }
}

/// Where the row of a message is.
package struct MessageLocation: Sendable, Equatable {
    package let day: Day
    package let receivedAt: Int64

    package init(day: Day, receivedAt: Int64) { (self.day, self.receivedAt) = (day, receivedAt) }
}
