/// Writes structures of Thrift in its compact protocol, in which the metadata of Parquet is.
///
/// Source: the specification of the compact protocol (apache/thrift, doc/specs/thrift-compact-protocol.md).
struct ThriftWriter {
    private(set) var bytes: [UInt8] = []
    /// The last field of each structure that is open.
    private var fields: [Int16] = [0]

    private enum Kind: UInt8 {
        case yes = 1, no = 2, int16 = 4, int32 = 5, int64 = 6, binary = 8, list = 9, structure = 12
    }

    mutating func field(_ id: Int16, _ value: Bool) { begin(id, value ? .yes : .no) }

    mutating func field(_ id: Int16, _ value: Int32) {
        begin(id, .int32)
        zigzag(Int64(value))
    }

    mutating func field(_ id: Int16, _ value: Int64) {
        begin(id, .int64)
        zigzag(value)
    }

    mutating func field(_ id: Int16, _ value: String) {
        begin(id, .binary)
        text(value)
    }

    mutating func field(_ id: Int16, structure write: (inout ThriftWriter) -> Void) {
        begin(id, .structure)
        structure(write)
    }

    mutating func field<Element>(
        _ id: Int16, structures elements: [Element], _ write: (inout ThriftWriter, Element) -> Void
    ) {
        begin(id, .list)
        list(elements.count, .structure)
        for element in elements { structure { write(&$0, element) } }
    }

    mutating func field(_ id: Int16, _ values: [Int32]) {
        begin(id, .list)
        list(values.count, .int32)
        for value in values { zigzag(Int64(value)) }
    }

    mutating func field(_ id: Int16, _ values: [String]) {
        begin(id, .list)
        list(values.count, .binary)
        for value in values { text(value) }
    }

    /// Ends the outermost structure.
    mutating func end() { bytes.append(0) }

    private mutating func structure(_ write: (inout ThriftWriter) -> Void) {
        fields.append(0)
        write(&self)
        fields.removeLast()
        bytes.append(0)
    }

    /// Fields come in ascending order, so the difference between two fits into four bits.
    private mutating func begin(_ id: Int16, _ kind: Kind) {
        let last = fields[fields.count - 1]
        bytes.append(UInt8(id - last) << 4 | kind.rawValue)
        fields[fields.count - 1] = id
    }

    private mutating func list(_ count: Int, _ kind: Kind) {
        if count < 15 {
            bytes.append(UInt8(count) << 4 | kind.rawValue)
        } else {
            bytes.append(0xF0 | kind.rawValue)
            variable(UInt64(count))
        }
    }

    private mutating func text(_ value: String) {
        variable(UInt64(value.utf8.count))
        bytes += value.utf8
    }

    private mutating func zigzag(_ value: Int64) { variable(UInt64(bitPattern: value << 1 ^ value >> 63)) }

    private mutating func variable(_ value: UInt64) { Self.append(variable: value, to: &bytes) }

    /// Appends a number in as many groups of seven bits as it needs.
    static func append(variable value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
