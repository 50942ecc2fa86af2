extension UnsafeRawBufferPointer {
    /// The little-endian number at that offset. The caller has checked the range.
    @inline(__always)
    func integer<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Value.Type) -> Value {
        Value(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// The bytes of that range as a buffer. The caller has checked the range.
    @inline(__always)
    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Stores a number at that offset in little-endian order. The caller has checked the range.
    @inline(__always)
    func store<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value, at offset: Int) {
        storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self)
    }
}

extension Array where Element == UInt8 {
    /// Appends a number in little-endian order.
    mutating func append<Value: FixedWidthInteger & BitwiseCopyable>(littleEndian value: Value) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    /// Appends the eight bytes of a number in little-endian order.
    package mutating func append(littleEndian number: UInt64) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// The eight bytes of a number in little-endian order.
    package static func littleEndian(_ number: UInt64) -> [UInt8] {
        Swift.withUnsafeBytes(of: number.littleEndian, Array.init)
    }

    /// The number in the eight bytes at that place. The caller has checked the range.
    package func number(at place: Int) -> UInt64 { withUnsafeBytes { $0.integer(at: place, as: UInt64.self) } }
}
