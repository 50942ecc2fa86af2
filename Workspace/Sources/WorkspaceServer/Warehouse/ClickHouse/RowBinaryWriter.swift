/// Writes values in the format RowBinary of ClickHouse.
package struct RowBinaryWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    package mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ number: Int64?) {
        write(UInt8(number == nil ? 1 : 0))
        if let number { write(number) }
    }

    package mutating func write(_ text: some Collection<UInt8>) {
        write(count: text.count)
        bytes.append(contentsOf: text)
    }

    package mutating func write(_ text: String) { write(text.utf8) }

    package mutating func write(_ text: String?) {
        write(UInt8(text == nil ? 1 : 0))
        if let text { write(text) }
    }

    package mutating func write(_ number: Double?) {
        write(UInt8(number == nil ? 1 : 0))
        if let number { write(number.bitPattern) }
    }

    package mutating func write(_ value: Bool?) {
        write(UInt8(value == nil ? 1 : 0))
        if let value { write(UInt8(value ? 1 : 0)) }
    }

    package mutating func write(_ texts: [[UInt8]]) {
        write(count: texts.count)
        for text in texts { write(text) }
    }

    package mutating func write(_ numbers: [Int64]) {
        write(count: numbers.count)
        for number in numbers { write(number) }
    }

    /// A text of a fixed length, without that length.
    package mutating func write(fixed text: UnsafeRawBufferPointer) { bytes.append(contentsOf: text) }

    package mutating func write(count: Int) {
        var rest = UInt64(count)
        while rest > 127 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
