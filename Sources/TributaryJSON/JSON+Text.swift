extension JSON {
    /// The JSON text on one line.
    public func toString() -> String { toString(pretty: false) }

    /// The JSON text with each member and element on a line of its own, for people.
    public func prettyPrint() -> String { toString(pretty: true) }

    /// The JSON text.
    /// - Parameter pretty: whether each member and element is on a line of its own.
    public func toString(pretty: Bool) -> String {
        guard pretty else { return description }
        var buffer: [UInt8] = []
        write(into: &buffer, indentedBy: 0)
        return String(decoding: buffer, as: UTF8.self)
    }

    private func write(into buffer: inout [UInt8], indentedBy level: Int) {
        switch self {
        case .array(let elements) where !elements.isEmpty:
            Self.writeLines(elements, between: "[", "]", into: &buffer, level) { element, buffer in
                element.write(into: &buffer, indentedBy: level + 1)
            }
        case .object(let object) where !object.isEmpty:
            Self.writeLines(object, between: "{", "}", into: &buffer, level) { member, buffer in
                JSONText.write(member.key, into: &buffer)
                buffer += ": ".utf8
                member.value.write(into: &buffer, indentedBy: level + 1)
            }
        default: write(into: &buffer)
        }
    }

    private static func writeLines<Items: Collection>(
        _ items: Items, between opening: String, _ closing: String, into buffer: inout [UInt8], _ level: Int,
        _ write: (Items.Element, inout [UInt8]) -> Void
    ) {
        buffer += opening.utf8
        var isFirst = true
        for item in items {
            if !isFirst { buffer += ",".utf8 }
            isFirst = false
            buffer += ("\n" + String(repeating: "  ", count: level + 1)).utf8
            write(item, &buffer)
        }
        buffer += ("\n" + String(repeating: "  ", count: level) + closing).utf8
    }
}
