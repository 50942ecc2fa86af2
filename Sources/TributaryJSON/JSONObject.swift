/// The members of a JSON object, in their order.
///
/// Keys are compared byte by byte. A lookup scans small objects and uses a hash for large ones, so hostile input with
/// many keys stays linear. Removing moves later members; use `removeAll(where:)` for more than a few.
public struct JSONObject: Sendable {
    /// One member.
    public typealias Member = (key: String, value: JSON)

    /// A member in memory. A struct, because the runtime copies and frees a tuple member by member.
    package struct Slot: Sendable {
        package fileprivate(set) var key: String
        package fileprivate(set) var value: JSON
    }

    private(set) var members: [Slot] = []
    /// The positions of keys; only for objects with more than `indexThreshold` members.
    private var index: [ExactKey: Int]?
    /// Up to this number of members a scan is faster than making the index, which costs more than all other work on a
    /// member.
    static let indexThreshold = 48

    /// An object without members.
    public init() {}

    /// An object without members, with room for that many.
    package init(minimumCapacity: Int) { members.reserveCapacity(minimumCapacity) }

    /// The members of a dictionary, ordered by key, because a dictionary has no order of its own.
    public init(_ dictionary: [String: JSON]) {
        members.reserveCapacity(dictionary.count)
        for key in Array(dictionary.keys).inOrder() { append(key, dictionary[key] ?? .null) }
    }

    /// The value of that key. Setting keeps the key's place or appends the key; setting nil removes it.
    public subscript(key: String) -> JSON? {
        get { position(of: key).map { members[$0].value } }
        set {
            if let newValue {
                set(key, newValue)
            } else {
                removeValue(forKey: key)
            }
        }
    }

    /// Takes ownership of both, so that the parser and the encoder pass values on without reference counting.
    mutating func set(_ key: consuming String, _ value: consuming JSON) {
        if let position = position(of: key) {
            members[position].value = value
        } else {
            append(key, value)
        }
    }

    /// Changes the value of a key in place, without copying it; does nothing when the key is missing.
    @discardableResult
    public mutating func update<Result>(_ key: String, _ change: (inout JSON) throws -> Result) rethrows -> Result? {
        guard let position = position(of: key) else { return nil }
        return try change(&members[position].value)
    }

    /// Removes a member and returns its value; the others keep their order.
    @discardableResult
    public mutating func removeValue(forKey key: String) -> JSON? {
        guard let position = position(of: key) else { return nil }
        let removed = members.remove(at: position).value
        rebuildIndex()
        return removed
    }

    /// Removes every member for which the condition holds. The others keep their order.
    public mutating func removeAll(where isRemoved: (Member) throws -> Bool) rethrows {
        members = try members.filter { try !isRemoved(($0.key, $0.value)) }
        rebuildIndex()
    }

    /// Gives a member another name at the same place. A member that already has that name is removed.
    public mutating func rename(_ key: String, to newKey: String) {
        guard !ExactKey.areSame(key, newKey), position(of: key) != nil else { return }
        removeValue(forKey: newKey)
        guard let position = position(of: key) else { return }
        members[position].key = newKey
        index?[ExactKey(text: key)] = nil
        index?[ExactKey(text: newKey)] = position
    }

    /// Orders the members by the bytes of their keys.
    @inline(never)
    mutating func sort() {
        members.sort { ExactKey.isBefore($0.key, $1.key) }
        rebuildIndex()
    }

    /// The keys in their order.
    public var keys: [String] { members.map(\.key) }

    /// Whether both are the same members in memory, which is fast to find out. Others may be equal, too.
    package func isIdentical(to other: JSONObject) -> Bool {
        members.count == other.members.count
            && members.withUnsafeBufferPointer { members in
                other.members.withUnsafeBufferPointer { $0.baseAddress == members.baseAddress }
            }
    }

    /// The keys whose values are not the same in both. Members at the same place are compared without a search.
    package func differences(from other: JSONObject) -> [String] {
        withMembers { members in
            other.withMembers { others in
                func haveSameKey(_ place: Int) -> Bool {
                    place < members.count && place < others.count
                        && ExactKey.areSame(members[place].key, others[place].key)
                }
                var keys: [String] = []
                for place in others.indices {
                    let isSame =
                        haveSameKey(place)
                        ? members[place].value == others[place].value : self[others[place].key] == others[place].value
                    if !isSame { keys.append(others[place].key) }
                }
                for place in members.indices
                where !haveSameKey(place) && other.position(of: members[place].key) == nil {
                    keys.append(members[place].key)
                }
                return keys
            }
        }
    }

    /// Lends the members in memory, for readers that look at many and keep few.
    package func withMembers<Result>(_ body: (UnsafeBufferPointer<Slot>) -> Result) -> Result {
        members.withUnsafeBufferPointer(body)
    }

    /// Whether keys are found by their hash. Otherwise all members are searched.
    package var isIndexed: Bool { index != nil }

    func position(of key: String) -> Int? {
        if let index { return index[ExactKey(text: key)] }
        let size = key.utf8.count
        return members.withUnsafeBufferPointer { members in
            var position = 0
            while position < members.count {
                let isPossible = members[position].key.utf8.count == size
                if isPossible, ExactKey.areSame(members[position].key, key) { return position }
                position += 1
            }
            return nil
        }
    }

    /// Appends a member under a key that is known to be missing.
    mutating func append(_ key: consuming String, _ value: consuming JSON) {
        let position = members.count
        members.append(Slot(key: key, value: value))
        if index != nil {
            index?[ExactKey(text: members[position].key)] = position
        } else if position >= Self.indexThreshold {
            rebuildIndex()
        }
    }

    private mutating func rebuildIndex() {
        guard members.count > Self.indexThreshold else {
            index = nil
            return
        }
        var positions: [ExactKey: Int] = Dictionary(minimumCapacity: members.count)
        for (position, member) in members.enumerated() { positions[ExactKey(text: member.key)] = position }
        index = positions
    }
}

extension JSONObject: RandomAccessCollection {
    /// The place of the first member.
    public var startIndex: Int { 0 }
    /// The place after the last member.
    public var endIndex: Int { members.count }
    /// The member at that place.
    public subscript(position: Int) -> Member { (members[position].key, members[position].value) }
}

extension JSONObject: Hashable {
    /// Whether both have the same members. Their order does not matter.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        if left.isIdentical(to: right) { return true }
        for (position, member) in left.members.enumerated() {
            let other = right.members[position]
            if ExactKey.areSame(other.key, member.key) {
                guard other.value == member.value else { return false }
            } else {
                guard right[member.key] == member.value else { return false }
            }
        }
        return true
    }

    /// The hash is the same for every order of the members.
    public func hash(into hasher: inout Hasher) {
        var combined = 0
        for member in members {
            var memberHasher = hasher
            memberHasher.combine(ExactKey(text: member.key))
            memberHasher.combine(member.value)
            combined ^= memberHasher.finalize()
        }
        hasher.combine(combined)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The members in the order of the literal. A repeated key keeps its last value.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(minimumCapacity: elements.count)
        for (key, value) in elements { self[key] = value }
    }
}

extension JSONObject: Codable {
    /// Writes the members in their order.
    public func encode(to encoder: any Encoder) throws { try JSON.object(self).encode(to: encoder) }

    /// Reads the members of an object.
    public init(from decoder: any Decoder) throws {
        guard let object = try JSON(from: decoder).objectValue else {
            throw DecodingError.typeMismatch(
                Self.self, .init(codingPath: decoder.codingPath, debugDescription: "this is not a JSON object"))
        }
        self = object
    }
}
