package import TributaryJSON

/// Writes a JSON object straight into bytes; members that are JSON text already are copied.
package struct ObjectText {
    package private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

    package init(bytes: [UInt8] = [UInt8(ascii: "{")]) { self.bytes = bytes }

    package mutating func add(_ key: String, _ value: String?) {
        begin(key)
        if let value { JSONText.write(value, into: &bytes) } else { JSON.null.write(into: &bytes) }
    }

    package mutating func add(_ key: String, _ value: Int64?) {
        begin(key)
        if let value { JSONNumber(value).write(into: &bytes) } else { JSON.null.write(into: &bytes) }
    }

    package mutating func add(_ key: String, _ value: Bool) {
        begin(key)
        JSON.bool(value).write(into: &bytes)
    }

    package mutating func add(_ key: String, _ value: JSON) {
        begin(key)
        value.write(into: &bytes)
    }

    /// Milliseconds since 1970 as a timestamp of the protocol.
    package mutating func add(_ key: String, milliseconds: Int64?) {
        add(key, milliseconds.map(ISO8601.string(milliseconds:)))
    }

    /// Bytes that are valid JSON text.
    package mutating func add(_ key: String, text: some Collection<UInt8>) {
        begin(key)
        bytes.append(contentsOf: text)
    }

    /// Objects as the elements of an array.
    package mutating func add(_ key: String, objects: [[UInt8]]) {
        begin(key)
        bytes.append(UInt8(ascii: "["))
        for (index, object) in objects.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: object)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Adds the members of another object.
    package mutating func add(membersOf object: JSONObject) {
        for (key, value) in object { add(key, value) }
    }

    /// The finished text.
    package func finished() -> [UInt8] { bytes + CollectionOfOne(UInt8(ascii: "}")) }

    private mutating func begin(_ key: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        JSONText.write(key, into: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }
}
