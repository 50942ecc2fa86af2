package import TributaryJSON

/// `context` or `integrations` of a batch: members for the events that do not have them.
package struct SharedMembers {
    /// The member of the batch, and of each event.
    package let name: StaticString
    /// Each key with its value, without space; the last value of a repeated key.
    private let members: [[UInt8]]
    private let places: [[UInt8]: Int]
    /// All of them with commas in between, and where each begins there.
    private let joined: [UInt8]
    private let starts: [Int]
    /// The members that name users.
    private let users: [(place: Int, ids: [String])]
    private let ids: [String]
    /// The value of `ip`, which the address policy needs.
    package let address: JSON?
    /// The value of `location`, to which a country may be added; nil when there is none.
    let location: LocationText?

    /// No members.
    package init(_ name: StaticString) { self.init(name, members: [], places: [:], users: []) }

    private init(
        _ name: StaticString, members: [[UInt8]], places: [[UInt8]: Int], users: [(place: Int, ids: [String])],
        address: JSON? = nil, location: LocationText? = nil
    ) {
        (self.name, self.members, self.places, self.users) = (name, members, places, users)
        ids = users.flatMap(\.ids)
        (self.address, self.location) = (address, location)
        joined = Array(members.joined(separator: [UInt8(ascii: ",")]))
        var start = 0
        starts = members.map { member in
            defer { start += member.count + 1 }
            return start
        }
    }

    /// - Parameter value: where the member's value stands in a valid text.
    /// - Returns: nil for a value that is no object, and for one without members.
    package init?(_ name: StaticString, _ value: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes[value.lowerBound] == UInt8(ascii: "{") else { return nil }
        var members: [[UInt8]] = []
        var places: [[UInt8]: Int] = [:]
        var users: [Int: [String]] = [:]
        var address: JSON?
        var location: LocationText?
        for member in ScannedMember.all(of: value, in: bytes) {
            let text = CompactText.of(UnsafeBufferPointer(rebasing: bytes[member.range]))
            if member.key.isName("ip", in: bytes) { address = ScannedObject.json(member.value, bytes) }
            if member.key.isName("location", in: bytes) { location = LocationText(member.value, in: bytes) }
            let key = member.key.name(in: bytes)
            let place = places[key] ?? members.count
            if place < members.count {
                members[place] = text
            } else {
                places[key] = place
                members.append(text)
            }
            let ids = ScannedBody.ids(of: member, in: bytes)
            users[place] = ids.isEmpty ? nil : ids
        }
        guard !members.isEmpty else { return nil }
        let named = users.sorted { $0.key < $1.key }.map { (place: $0.key, ids: $0.value) }
        self.init(
            name, members: members, places: places, users: named, address: address, location: location)
    }

    /// The members and one more, unless there is one of that name.
    func filling(_ key: StaticString, with value: JSON) -> SharedMembers {
        let name = Array(key.description.utf8)
        guard places[name] == nil else { return self }
        let text = Array("\"\(key)\":".utf8) + value.encoded()
        return SharedMembers(
            self.name, members: members + [text],
            places: places.merging([name: members.count]) { first, _ in first }, users: users, address: address,
            location: location)
    }

    /// The place of a member; nil when there is none of that name.
    package func place(of key: [UInt8]) -> Int? { places[key] }

    /// The bytes of the members and of the commas between them.
    /// - Parameter places: those of members that an object has itself.
    package func byteCount(besides places: Set<Int>) -> Int {
        guard places.count < members.count else { return 0 }
        return joined.count - places.reduce(0) { $0 + members[$1].count + 1 }
    }

    /// Adds the members, with commas between them. The work grows with the members that are left out, not with all.
    package func append(to text: inout [UInt8], besides places: Set<Int>) {
        let start = text.count
        var next = 0
        for place in places.sorted() + [members.count] {
            if place > next {
                if text.count > start { text.append(UInt8(ascii: ",")) }
                text.append(contentsOf: joined[starts[next]..<starts[place - 1] + members[place - 1].count])
            }
            next = place + 1
        }
    }

    /// The users that the members name.
    package func ids(besides places: Set<Int>) -> [String] {
        guard !places.isEmpty else { return ids }
        return users.filter { !places.contains($0.place) }.flatMap(\.ids)
    }
}
