import TributaryJSON

/// Makes the text of an event with what its sender left out: its type, its message id, the members of its batch, its
/// country, and what the address policy asks for. Everything else stays as the sender wrote it.
struct CompletedEvent {
    /// The event, without space between its tokens, with `names`.
    let object: ScannedObject
    /// Replaces the type; nil keeps it.
    var type: EventType?
    /// Replaces the message id; nil keeps it.
    var messageId: String?
    var shared: [SharedMembers] = []
    var address: AddressRule?
    /// Added to the location; nil adds none. A country that the sender named stays.
    var country: CountryCode?

    /// The members that may change.
    static let names: [StaticString] = ["type", "messageId", "context", "integrations"]
    private static let objects: [StaticString] = ["context", "integrations"]

    /// The text in pieces, so that its size can be looked at before it is written.
    func pieces() -> TextPieces {
        var changes: [(name: StaticString, value: TextPieces)] = []
        if let type { changes.append(("type", value(.string(type.rawValue)))) }
        if let messageId { changes.append(("messageId", value(.string(messageId)))) }
        for name in Self.objects {
            if let filled = filled(name) { changes.append((name, filled)) }
        }
        var text = TextPieces(of: object.bytes)
        text.beginObject()
        var isWritten = Array(repeating: false, count: changes.count)
        for member in ScannedMember.all(of: object.range, in: object.bytes) {
            let name = Self.names.first { member.key.isName($0, in: object.bytes) }
            // The last one of a repeated key counts, and an earlier one could hold an address.
            if let name, member.value != object[name] { continue }
            guard let index = changes.firstIndex(where: { $0.name.description == name?.description }) else {
                text.addMember(member.range)
                continue
            }
            text.addMember(changes[index].name, changes[index].value)
            isWritten[index] = true
        }
        for (index, change) in changes.enumerated() where !isWritten[index] {
            text.addMember(change.name, change.value)
        }
        text.endObject()
        return text
    }

    private func value(_ json: JSON) -> TextPieces { made(json.encoded()) }

    private func made(_ value: [UInt8]) -> TextPieces {
        var text = TextPieces(of: object.bytes)
        text.addValue(value)
        return text
    }

    /// An object of the event with the members of the batch, and with the address that the policy asks for and the country;
    /// nil when it stays as it is. A value that is no object is never changed.
    private func filled(_ name: StaticString) -> TextPieces? {
        let own = object[name]
        if let own, object.bytes[own.lowerBound] != UInt8(ascii: "{") { return nil }
        let shared = shared.first { $0.name.description == name.description }
        let members = own.map { ScannedMember.all(of: $0, in: object.bytes) } ?? []
        let address = name.description == "context" ? addressChange(members, shared) : .none
        let location = name.description == "context" ? located(members, shared) : nil
        guard shared != nil || address != .none || location != nil else { return nil }
        var (text, overridden) = (TextPieces(of: object.bytes), Set<Int>())
        text.beginObject()
        for member in members {
            if let place = shared?.place(of: member.key.name(in: object.bytes)) { overridden.insert(place) }
            if address != .none, member.key.isName("ip", in: object.bytes) { continue }
            if location != nil, member.key.isName("location", in: object.bytes) { continue }
            text.addMember(member.range)
        }
        if let shared {
            if address != .none, let place = shared.place(of: Array("ip".utf8)) { overridden.insert(place) }
            if location != nil, let place = shared.place(of: Array("location".utf8)) { overridden.insert(place) }
            text.addMembers(shared, besides: overridden)
        }
        if case .set(let ip) = address { text.addMember("ip", value(.string(ip))) }
        if let location { text.addMember("location", made(location)) }
        guard own != nil || !text.isEmpty else { return nil }
        text.endObject()
        return text
    }

    private func addressChange(_ members: [ScannedMember], _ shared: SharedMembers?) -> AddressRule.Change {
        guard let address else { return .none }
        let own = members.last { $0.key.isName("ip", in: object.bytes) }
        return address.change(own.flatMap { ScannedObject.json($0.value, object.bytes) } ?? shared?.address)
    }

    /// The location with the country; nil when it stays as it is.
    private func located(_ members: [ScannedMember], _ shared: SharedMembers?) -> [UInt8]? {
        guard let country else { return nil }
        let own = members.last { $0.key.isName("location", in: object.bytes) }
        let location = own.map { LocationText($0.value, in: object.bytes) } ?? shared?.location ?? .missing
        return location.adding(country)
    }
}

extension AddressRule {
    /// The text of a rejected event, with the rule applied. When the text is not JSON, the address cannot be found, so
    /// none of the text is kept.
    /// - Parameter text: without space between its tokens.
    package func applied(to text: [UInt8]) -> [UInt8] {
        text.withUnsafeBufferPointer { bytes in
            guard bytes.containsIPName else { return text }
            var object: ScannedObject?
            var scanner = JSONScanner(bytes)
            do throws(JSONError) {
                try scanner.document { scanner throws(JSONError) in
                    if scanner.peek == UInt8(ascii: "{") {
                        object = try ScannedObject(&scanner, CompletedEvent.names)
                    } else {
                        try scanner.value()
                    }
                }
            } catch {
                return Array("{}".utf8)
            }
            return object.map { CompletedEvent(object: $0, address: self).pieces().bytes } ?? text
        }
    }
}
