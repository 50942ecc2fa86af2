import TributaryJSON

/// Finds the users that a body names: the members that name users, at any depth.
///
/// An equal text somewhere else is no user: it may be a colour, and the event somebody else's.
struct NamedUsers {
    private(set) var ids: [String] = []

    private enum Place { case other, user, traits }

    /// The ids as texts, also where the body has numbers.
    /// - Throws: `JSONError` when the body is no JSON.
    static func of(_ body: [UInt8]) throws(JSONError) -> [String] {
        var users = NamedUsers()
        var failure: JSONError?
        body.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            do throws(JSONError) {
                try scanner.document { scanner throws(JSONError) in try users.pass(&scanner, .other) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return users.ids
    }

    /// Passes a value.
    /// - Parameter place: what the key says under which it stands.
    private mutating func pass(_ scanner: inout JSONScanner, _ place: Place) throws(JSONError) {
        switch scanner.peek {
        case UInt8(ascii: "{"):
            try scanner.object { scanner, key throws(JSONError) in
                try pass(&scanner, Self.place(under: key, scanner.bytes, in: place))
            }
        case UInt8(ascii: "["): try scanner.array { scanner throws(JSONError) in try pass(&scanner, place) }
        default:
            let range = try scanner.value()
            guard place == .user else { return }
            let value = ScannedObject.json(range, scanner.bytes)
            if let id = value?.stringValue ?? value?.numberValue?.description, !id.isEmpty { ids.append(id) }
        }
    }

    private static func place(
        under key: JSONScanner.Key, _ bytes: UnsafeBufferPointer<UInt8>, in place: Place
    ) -> Place {
        func isKey(_ name: StaticString) -> Bool {
            guard !key.isEscaped else {
                return ScannedObject.text(key.range.lowerBound - 1..<key.range.upperBound + 1, bytes)
                    == name.description
            }
            return name.utf8CodeUnitCount == key.range.count
                && UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
                    .elementsEqual(bytes[key.range])
        }
        if isKey("userId") || isKey("user_id") || isKey("previousId") { return .user }
        if isKey("traits") { return .traits }
        return place == .traits && isKey("id") ? .user : .other
    }
}
