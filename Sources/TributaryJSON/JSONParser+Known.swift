/// Reads a text that is mostly equal to the text of a known value.
extension JSONParser {
    mutating func document(like known: JSON) throws(JSONError) -> JSONReading {
        try checkSize()
        skipSpace()
        // The caller knows that there is a difference, so the whole is not compared.
        let value = try changed(known, depth: 0)
        try checkEnd()
        return JSONReading(value: value, hasNewNumbers: hasNewNumbers, hasNumberedKeys: hasNumberedKeys)
    }

    /// Deeper levels are not compared, because each level may look at the same text once more.
    private static let comparedDepth = 6

    private mutating func value(like known: JSON?, depth: Int) throws(JSONError) -> JSON {
        guard let known, depth < Self.comparedDepth else {
            // The skipped value may have keys that begin with a digit. They are not compared with those of the known
            // value.
            if known?.objectValue != nil || known?.elements != nil { hasNumberedKeys = true }
            return try value(depth: depth)
        }
        skipSpace()
        let start = position
        if passes(known, depth: depth) { return known }
        position = start
        return try changed(known, depth: depth)
    }

    /// Reads a value of which only parts may be equal.
    private mutating func changed(_ known: JSON, depth: Int) throws(JSONError) -> JSON {
        switch (known, peek) {
        case (.object(let members), UInt8(ascii: "{")): return try object(like: members, depth: depth + 1)
        case (.array(let elements), UInt8(ascii: "[")): return try array(like: elements, depth: depth + 1)
        default: return try value(depth: depth)
        }
    }

    private mutating func object(like known: JSONObject, depth: Int) throws(JSONError) -> JSON {
        try enter(depth)
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(JSONObject()) }
        var object = JSONObject(minimumCapacity: known.count + 1)
        var expected = 0
        var last = -1
        while true {
            skipSpace()
            let (name, place) = try key(of: known, after: expected)
            if let place { expected = place + 1 }
            if object.isEmpty, let first = name.utf8.first, first &- UInt8(ascii: "0") < 10 { hasNumberedKeys = true }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw malformed("':' is missing after a key") }
            let member = try value(like: place.map { known.members[$0].value }, depth: depth)
            // A known key that comes after all keys so far cannot be equal to one of them.
            if let place, place > last {
                object.append(name, member)
                last = place
            } else {
                object.set(name, member)
            }
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "}")) else { throw malformed("',' or '}' is missing in an object") }
            return .object(object)
        }
    }

    /// A key, and the place of that name in the known object.
    private mutating func key(of known: JSONObject, after expected: Int) throws(JSONError) -> (String, place: Int?) {
        let start = position
        // Members are mostly in their order, and sometimes one is missing.
        for place in expected..<min(expected + 2, known.count) {
            if passes(known.members[place].key) { return (known.members[place].key, place) }
            position = start
        }
        guard peek == UInt8(ascii: "\"") else { throw malformed("an object's key must be a string") }
        let key = try string()
        return (key, known.position(of: key))
    }

    private mutating func array(like known: [JSON], depth: Int) throws(JSONError) -> JSON {
        try enter(depth)
        var elements: [JSON] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            let old = elements.count < known.count ? known[elements.count] : Optional.none
            elements.append(try value(like: old, depth: depth))
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "]")) else { throw malformed("',' or ']' is missing in an array") }
            return .array(elements)
        }
    }

    // MARK: Equal parts

    /// Skips a text that is equal to a value. Returns false at the first place where it differs, or is written with
    /// spaces or escapes.
    private mutating func passes(_ known: JSON, depth: Int) -> Bool {
        switch known {
        case .null: return takes("null")
        case .bool(let value): return takes(value ? "true" : "false")
        case .number(let number): return passes(number)
        case .string(let text): return passes(text)
        case .array(let elements): return passes(elements, depth: depth + 1)
        case .object(let object): return passes(object, depth: depth + 1)
        }
    }

    private mutating func passes(_ known: [JSON], depth: Int) -> Bool {
        guard depth <= limits.depth, take(UInt8(ascii: "[")) else { return false }
        // Uses pointers, because an array changes a reference count for each element that is read.
        let passesAll = known.withUnsafeBufferPointer { known in
            for place in known.indices {
                if place > 0, !take(UInt8(ascii: ",")) { return false }
                guard passes(known[place], depth: depth) else { return false }
            }
            return true
        }
        return passesAll && take(UInt8(ascii: "]"))
    }

    private mutating func passes(_ known: JSONObject, depth: Int) -> Bool {
        guard depth <= limits.depth, take(UInt8(ascii: "{")) else { return false }
        let passesAll = known.withMembers { known in
            for place in known.indices {
                if place > 0, !take(UInt8(ascii: ",")) { return false }
                guard passes(known[place].key), take(UInt8(ascii: ":")), passes(known[place].value, depth: depth)
                else { return false }
            }
            return true
        }
        return passesAll && take(UInt8(ascii: "}"))
    }

    private mutating func passes(_ known: String) -> Bool {
        let start = position + 1
        let end = start + known.utf8.count
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\""), take(UInt8(ascii: "\"")) else { return false }
        // Without this check, bytes that look like the end of a string could count as a part of it.
        var seen: UInt64 = 0
        guard StringScan.special(in: bytes, from: start, seen: &seen) == end else { return false }
        let text = UnsafeBufferPointer(rebasing: bytes[start..<end])
        position = end + 1
        return known.utf8.withContiguousStorageIfAvailable { ExactKey.haveSameBytes($0, text) }
            ?? known.utf8.elementsEqual(text)
    }

    private mutating func passes(_ known: JSONNumber) -> Bool {
        guard let (value, end) = ShortDecimal.read(bytes, from: position) else { return false }
        position = end
        return value == known.double
    }

    private mutating func takes(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        for offset in 0..<count where bytes[position + offset] != text.utf8Start[offset] { return false }
        position += count
        return true
    }
}

extension JSON {
    /// Reads a JSON text that mostly equals the text of a known value. The equal parts are taken from that value, which
    /// saves most of the work.
    ///
    /// The result is that of `parse`, with one difference: a number with the same nearest double as the number at the
    /// same place of the known value becomes that number. The result says whether all numbers are of that kind.
    /// - Throws: `JSONError` with the place of the first mistake.
    package static func parse(
        _ bytes: UnsafeRawBufferPointer, like known: JSON, limits: JSONLimits = JSONLimits()
    ) throws(JSONError) -> JSONReading {
        var parser = JSONParser(bytes.bindMemory(to: UInt8.self), limits: limits)
        return try parser.document(like: known)
    }
}
