extension JSON {
    /// The JSON text as UTF-8 on one line.
    public func encoded() -> [UInt8] {
        var sink = ByteSink(capacity: 1024)
        sink.write(self)
        return Array(sink.bytes)
    }

    /// Appends the JSON text as UTF-8 on one line.
    public func write(into buffer: inout [UInt8]) {
        var sink = ByteSink(capacity: 1024)
        sink.write(self)
        buffer.append(contentsOf: sink.bytes)
    }
}

extension JSONObject {
    /// A header, followed by the JSON text as UTF-8 on one line; nil when the object is nested deeper than that.
    package func encoded(behind header: UnsafeBufferPointer<UInt8>, depth: Int = .max) -> [UInt8]? {
        var sink = ByteSink(capacity: 1024, depthLimit: depth)
        sink.append(header)
        sink.write(self)
        return sink.isTooDeep ? nil : Array(sink.bytes)
    }

    /// Appends the JSON text as UTF-8 on one line.
    public func write(into buffer: inout [UInt8]) { JSON.object(self).write(into: &buffer) }
}

extension JSONNumber {
    /// Appends the number as it stands in a JSON text.
    public func write(into buffer: inout [UInt8]) { JSON.number(self).write(into: &buffer) }
}

/// Writes the pieces of a JSON text that need care into a byte buffer.
public enum JSONText {
    /// Appends a string with its quotes. Only the characters that RFC 8259 demands are escaped.
    public static func write(_ text: String, into buffer: inout [UInt8]) {
        JSON.string(text).write(into: &buffer)
    }
}

extension ByteSink {
    mutating func write(_ value: JSON) {
        switch value {
        case .null: append("null")
        case .bool(true): append("true")
        case .bool(false): append("false")
        case .number(let number): write(number)
        case .string(let text): writeQuoted(text)
        case .array(let elements): write(elements)
        case .object(let object): write(object)
        }
    }

    private mutating func write(_ elements: [JSON]) {
        // A caller with a limit checks the depth afterwards, so this replacement is never used.
        guard enter() else { return append("null") }
        defer { leave() }
        append(UInt8(ascii: "["))
        elements.withUnsafeBufferPointer { elements in
            for position in elements.indices {
                if position > 0 { append(UInt8(ascii: ",")) }
                write(elements[position])
            }
        }
        append(UInt8(ascii: "]"))
    }

    mutating func write(_ object: JSONObject) {
        guard enter() else { return append("null") }
        defer { leave() }
        append(UInt8(ascii: "{"))
        object.members.withUnsafeBufferPointer { members in
            for position in members.indices {
                if position > 0 { append(UInt8(ascii: ",")) }
                writeQuoted(members[position].key)
                append(UInt8(ascii: ":"))
                write(members[position].value)
            }
        }
        append(UInt8(ascii: "}"))
    }

    private mutating func write(_ number: JSONNumber) {
        switch number.storage {
        case .signed(let value):
            if value < 0 { append(UInt8(ascii: "-")) }
            write(value.magnitude)
        case .unsigned(let value): write(value)
        case .double(let value): write(value)
        case .spelling(let text): append(text)
        }
    }

    private mutating func write(_ value: UInt64) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = digits.count
            var rest = value
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            append(UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    /// Writes the shortest text that reads back as the same double; whole numbers without a fraction.
    private mutating func write(_ value: Double) {
        var text = value.description
        text.withUTF8 { bytes in
            let isWhole = bytes.suffix(2).elementsEqual([UInt8(ascii: "."), UInt8(ascii: "0")])
            append(UnsafeBufferPointer(rebasing: bytes.dropLast(isWhole ? 2 : 0)))
        }
    }

    mutating func writeQuoted(_ text: String) {
        if text.utf8.withContiguousStorageIfAvailable({ writeQuoted($0) }) == nil {
            var native = text  // a string of Objective-C has to be copied to get its bytes
            native.withUTF8 { writeQuoted($0) }
        }
    }

    private mutating func writeQuoted(_ bytes: UnsafeBufferPointer<UInt8>) {
        if appendQuoted(clean: bytes) { return }
        append(UInt8(ascii: "\""))
        writeContent(bytes)
        append(UInt8(ascii: "\""))
    }

    private mutating func writeContent(_ bytes: UnsafeBufferPointer<UInt8>) {
        var seen: UInt64 = 0
        var clean = 0
        while true {
            let special = StringScan.special(in: bytes, from: clean, seen: &seen)
            append(UnsafeBufferPointer(rebasing: bytes[clean..<special]))
            guard special < bytes.count else { return }
            writeEscaped(bytes[special])
            clean = special + 1
        }
    }

    private mutating func writeEscaped(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x08: append(UInt8(ascii: "b"))
        case 0x0C: append(UInt8(ascii: "f"))
        default:
            append("u00")
            append(Self.hexDigit(byte >> 4))
            append(Self.hexDigit(byte & 0xF))
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
