package import TributaryJSON

/// The parts of a body that storing its row needs, found in one pass: the users that it names, and its properties.
///
/// Members that name users do so at any depth. An equal text in another member does not name the user. It may be the
/// name of a colour in the event of another user.
package struct ScannedBody {
    /// A member of an object.
    package struct Member {
        package let key: JSONScanner.Key
        /// The first byte of its value, which says of which type that is.
        package let firstByte: UInt8?
    }

    /// The ids as texts, also where the body has numbers.
    package private(set) var ids: [String] = []
    /// The members of `properties`; the last one of a repeated key.
    package private(set) var properties: [Member] = []
    /// The same for `traits`.
    package private(set) var traits: [Member] = []

    /// Members that were read before; they are passed without a look.
    private var known: [Range<Int>] = []

    private enum Place { case other, user, traits }

    /// - Throws: `JSONError` when the body is no JSON.
    package static func of(_ body: [UInt8]) throws(JSONError) -> ScannedBody { try of(body, besides: []) }

    /// The users that a member of the context, or of another object like it, names.
    /// - Parameter member: of a text that was passed before.
    package static func ids(of member: ScannedMember, in bytes: UnsafeBufferPointer<UInt8>) -> [String] {
        var scanned = ScannedBody()
        var scanner = JSONScanner(bytes, at: member.value.lowerBound)
        do {
            try scanned.pass(&scanner, place(under: member.key, bytes, in: .other))
        } catch {
            // The text was passed before, so this does not happen; the row may then name any user.
            return [""]
        }
        return scanned.ids
    }

    /// Scans a body without some members that were scanned before.
    /// - Parameters:
    ///   - known: where these members are; each place is that of members in a row.
    ///   - ids: the users that they name.
    /// - Throws: `JSONError` when the body is no JSON.
    package static func of(
        _ body: [UInt8], besides known: [Range<Int>], naming ids: [String] = []
    ) throws(JSONError) -> ScannedBody {
        var scanned = ScannedBody()
        scanned.known = known
        scanned.ids = ids
        var failure: JSONError?
        body.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            do throws(JSONError) {
                try scanner.document { scanner throws(JSONError) in try scanned.passBody(&scanner) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return scanned
    }

    /// Passes the outermost value.
    private mutating func passBody(_ scanner: inout JSONScanner) throws(JSONError) {
        guard scanner.peek == UInt8(ascii: "{") else { return try pass(&scanner, .other) }
        try scanner.object { scanner, key throws(JSONError) in
            if key.isName("properties", in: scanner.bytes) {
                properties = try members(&scanner, .other)
            } else if key.isName("traits", in: scanner.bytes) {
                traits = try members(&scanner, .traits)
            } else {
                try pass(&scanner, Self.place(under: key, scanner.bytes, in: .other))
            }
        }
    }

    /// Passes a value.
    /// - Returns: its members; none when it is no object.
    private mutating func members(_ scanner: inout JSONScanner, _ place: Place) throws(JSONError) -> [Member] {
        var members: [Member] = []
        guard scanner.peek == UInt8(ascii: "{") else {
            try pass(&scanner, place)
            return members
        }
        // More than most events have, in one piece of memory.
        members.reserveCapacity(16)
        try scanner.object { scanner, key throws(JSONError) in
            members.append(Member(key: key, firstByte: scanner.peek))
            try pass(&scanner, Self.place(under: key, scanner.bytes, in: place))
        }
        return members
    }

    /// Passes a value.
    /// - Parameter place: what the key says under which it stands.
    private mutating func pass(_ scanner: inout JSONScanner, _ place: Place) throws(JSONError) {
        switch scanner.peek {
        case UInt8(ascii: "{"):
            try scanner.object { scanner, key throws(JSONError) in
                // A place is that of the first member, with the quotes of its key.
                if let part = known.first(where: { $0.lowerBound + 1 == key.range.lowerBound }) {
                    return scanner.skip(to: part.upperBound)
                }
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
        if key.isName("userId", in: bytes) || key.isName("user_id", in: bytes) || key.isName("previousId", in: bytes) {
            return .user
        }
        if key.isName("traits", in: bytes) { return .traits }
        return place == .traits && key.isName("id", in: bytes) ? .user : .other
    }
}
