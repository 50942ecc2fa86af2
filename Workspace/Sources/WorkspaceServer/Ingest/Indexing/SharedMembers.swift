import TributaryJSON

/// `context` or `integrations` of a batch: members for the events that do not have them.
struct SharedMembers {
    /// The member of the batch, and of each event.
    let name: StaticString
    /// Each key with its value, without space; the last value of a repeated key.
    private let members: [[UInt8]]
    private let places: [[UInt8]: Int]
    /// All of them with commas in between.
    private let joined: [UInt8]
    /// The value of `ip`, which the address policy needs.
    let address: JSON?

    /// No members.
    init(_ name: StaticString) { self.init(name, members: [], places: [:], address: nil) }

    private init(_ name: StaticString, members: [[UInt8]], places: [[UInt8]: Int], address: JSON?) {
        self.name = name
        self.members = members
        self.places = places
        self.address = address
        joined = Array(members.joined(separator: [UInt8(ascii: ",")]))
    }

    /// - Parameter value: where the member's value stands in a valid text.
    /// - Returns: nil for a value that is no object, and for one without members.
    init?(_ name: StaticString, _ value: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes[value.lowerBound] == UInt8(ascii: "{") else { return nil }
        var members: [[UInt8]] = []
        var places: [[UInt8]: Int] = [:]
        var address: JSON?
        for member in ScannedMember.all(of: value, in: bytes) {
            let text = CompactText.of(UnsafeBufferPointer(rebasing: bytes[member.range]))
            if member.key.isName("ip", in: bytes) { address = ScannedObject.json(member.value, bytes) }
            let key = member.key.name(in: bytes)
            if let place = places[key] {
                members[place] = text
            } else {
                places[key] = members.count
                members.append(text)
            }
        }
        guard !members.isEmpty else { return nil }
        self.init(name, members: members, places: places, address: address)
    }

    /// The members and one more, unless there is one of that name.
    func filling(_ key: StaticString, with value: JSON) -> SharedMembers {
        let name = Array(key.description.utf8)
        guard places[name] == nil else { return self }
        let text = Array("\"\(key)\":".utf8) + value.encoded()
        return SharedMembers(
            self.name, members: members + [text],
            places: places.merging([name: members.count]) { first, _ in first }, address: address)
    }

    /// The place of a member; nil when there is none of that name.
    func place(of key: [UInt8]) -> Int? { places[key] }

    /// The bytes of the members and of the commas between them.
    /// - Parameter places: those of members that an object has itself.
    func byteCount(besides places: Set<Int>) -> Int {
        guard places.count < members.count else { return 0 }
        return joined.count - places.reduce(0) { $0 + members[$1].count + 1 }
    }

    /// The members with commas between them.
    func text(besides places: Set<Int>) -> [UInt8] {
        guard !places.isEmpty else { return joined }
        var rest: [[UInt8]] = []
        for (place, member) in members.enumerated() where !places.contains(place) { rest.append(member) }
        return Array(rest.joined(separator: [UInt8(ascii: ",")]))
    }
}
