import TributaryJSON

/// A member of an object in its text.
package struct ScannedMember {
    package let key: JSONScanner.Key
    /// Key and value, as they stand in the text.
    package let range: Range<Int>
    package let value: Range<Int>

    /// The members of an object, in their order; a repeated key has one for each time.
    /// - Parameter object: where an object stands that a scanner has passed before.
    package static func all(of object: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> [ScannedMember] {
        var members: [ScannedMember] = []
        members.reserveCapacity(16)
        var scanner = JSONScanner(bytes, at: object.lowerBound)
        do {
            try scanner.object { scanner, key throws(JSONError) in
                let value = try scanner.value()
                members.append(
                    ScannedMember(key: key, range: key.range.lowerBound - 1..<value.upperBound, value: value))
            }
        } catch {
            // The text was passed before, so this does not happen; a member that cannot be read is none.
            return members
        }
        return members
    }
}

extension JSONScanner.Key {
    /// Whether it is that name, however it is written.
    package func isName(_ name: StaticString, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !isEscaped else {
            return ScannedObject.text(range.lowerBound - 1..<range.upperBound + 1, bytes) == name.description
        }
        return name.utf8CodeUnitCount == range.count
            && UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount).elementsEqual(bytes[range])
    }

    /// The bytes of the name without escapes.
    package func name(in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        guard isEscaped, let text = ScannedObject.text(range.lowerBound - 1..<range.upperBound + 1, bytes) else {
            return Array(bytes[range])
        }
        return Array(text.utf8)
    }
}
