extension JSON {
    /// The JSON text as UTF-8 on one line.
    public func encoded() -> [UInt8] {
        var buffer: [UInt8] = []
        buffer.reserveCapacity(256)
        write(into: &buffer)
        return buffer
    }

    /// Appends the JSON text as UTF-8 on one line.
    public func write(into buffer: inout [UInt8]) {
        switch self {
        case .null: buffer.append(contentsOf: [0x6E, 0x75, 0x6C, 0x6C])
        case .bool(true): buffer.append(contentsOf: [0x74, 0x72, 0x75, 0x65])
        case .bool(false): buffer.append(contentsOf: [0x66, 0x61, 0x6C, 0x73, 0x65])
        case .number(let number): number.write(into: &buffer)
        case .string(let text): JSONText.write(text, into: &buffer)
        case .array(let elements): Self.write(elements, into: &buffer)
        case .object(let object): object.write(into: &buffer)
        }
    }

    private static func write(_ elements: [JSON], into buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "["))
        var first = true
        for element in elements {
            if !first { buffer.append(UInt8(ascii: ",")) }
            first = false
            element.write(into: &buffer)
        }
        buffer.append(UInt8(ascii: "]"))
    }
}

extension JSONObject {
    /// Appends the JSON text as UTF-8 on one line.
    public func write(into buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "{"))
        var first = true
        for (key, value) in self {
            if !first { buffer.append(UInt8(ascii: ",")) }
            first = false
            JSONText.write(key, into: &buffer)
            buffer.append(UInt8(ascii: ":"))
            value.write(into: &buffer)
        }
        buffer.append(UInt8(ascii: "}"))
    }
}

extension JSONNumber {
    /// Appends the number as it stands in a JSON text.
    public func write(into buffer: inout [UInt8]) {
        switch storage {
        case .signed(let value):
            if value < 0 { buffer.append(UInt8(ascii: "-")) }
            JSONText.write(value.magnitude, into: &buffer)
        case .unsigned(let value): JSONText.write(value, into: &buffer)
        case .double(let value): JSONText.write(value, into: &buffer)
        case .spelling(let text): buffer.append(contentsOf: text.utf8)
        }
    }
}

/// The pieces of a JSON text that need care, written straight into a byte buffer.
public enum JSONText {
    /// Appends a string with its quotes; only what RFC 8259 demands is escaped.
    public static func write(_ text: String, into buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            var clean = 0
            for position in bytes.indices where needsEscape(bytes[position]) {
                buffer.append(contentsOf: bytes[clean..<position])
                escape(bytes[position], into: &buffer)
                clean = position + 1
            }
            buffer.append(contentsOf: bytes[clean...])
        }
        buffer.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ byte: UInt8, into buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): buffer.append(byte)
        case 0x0A: buffer.append(UInt8(ascii: "n"))
        case 0x0D: buffer.append(UInt8(ascii: "r"))
        case 0x09: buffer.append(UInt8(ascii: "t"))
        case 0x08: buffer.append(UInt8(ascii: "b"))
        case 0x0C: buffer.append(UInt8(ascii: "f"))
        default:
            buffer.append(contentsOf: [0x75, 0x30, 0x30, hexDigit(byte >> 4), hexDigit(byte & 0xF)])
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    static func write(_ value: UInt64, into buffer: inout [UInt8]) {
        let start = buffer.count
        var rest = value
        repeat {
            buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        buffer[start...].reverse()
    }

    /// The shortest text that reads back as the same double; whole numbers without a fraction.
    static func write(_ value: Double, into buffer: inout [UInt8]) {
        var text = value.description
        if text.hasSuffix(".0") { text.removeLast(2) }
        buffer.append(contentsOf: text.utf8)
    }
}
