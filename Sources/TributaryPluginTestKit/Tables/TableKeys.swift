import TributaryJSON

/// The keys of the outermost object of a JSON text, in their order and with their lines. A repeated key is there as often as it
/// was written, which a parser does not tell.
enum TableKeys {
    struct Key {
        let name: String
        let line: Int
    }

    /// - Parameter bytes: a text that the parser has accepted.
    static func all(in bytes: [UInt8]) -> [Key] {
        var keys: [Key] = []
        var (position, line, depth) = (0, 1, 0)
        var isKeyNext = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                isKeyNext = depth == 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","): isKeyNext = depth == 1
            case UInt8(ascii: "\""):
                let end = end(ofTextAt: position, in: bytes)
                if isKeyNext, let name = (try? JSON.parse(Array(bytes[position..<end])))?.stringValue {
                    keys.append(Key(name: name, line: line))
                }
                isKeyNext = false
                position = end - 1
            default: break
            }
            position += 1
        }
        return keys
    }

    /// The place behind the quote that ends a text.
    private static func end(ofTextAt start: Int, in bytes: [UInt8]) -> Int {
        var position = start + 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, bytes.count)
    }
}
