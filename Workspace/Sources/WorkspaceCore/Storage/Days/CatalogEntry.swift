import Foundation

/// The counts of some events of one name, before they are written to the catalog of their day.
package struct CatalogEntry {
    package struct Key {
        package let bytes: [UInt8]
        package var counts = KindCounts()
        /// The last event that had the key, so that a key that is repeated in an event counts once.
        fileprivate var event = 0

        package init(bytes: [UInt8], counts: KindCounts = KindCounts()) { (self.bytes, self.counts) = (bytes, counts) }
    }

    /// The number of the name in its day.
    package let id: Int64
    package private(set) var hours: [Int64: Int64] = [:]
    package private(set) var keys: [Key]
    private(set) var otherKeys = KindCounts()
    /// How many keys of the name were ever counted apart on that day. It never falls. So the values under a key are all
    /// counted apart, or all among the others, and an erasure takes them from where they were counted.
    package private(set) var taken: Int
    /// Whether there are new keys among these.
    private(set) var tookKeys = false
    /// Whether properties are counted: events of names that are not counted apart have nothing in common.
    private let countsKeys: Bool
    private let takesKeys: Bool
    private var places: [[UInt8]: Int]
    /// Where the keys of the event before stood: events of one name mostly have the same keys in the same order.
    private var order: [Int?] = []
    private var event = 0

    /// - Parameters:
    ///   - keys: the keys that have a count of their own.
    ///   - takesKeys: whether further keys may be.
    package init(id: Int64, keys: [[UInt8]], taken: Int, takesKeys: Bool, countsKeys: Bool = true) {
        self.id = id
        self.keys = keys.map { Key(bytes: $0) }
        (self.taken, self.takesKeys, self.countsKeys) = (taken, takesKeys, countsKeys)
        places = Dictionary(zip(keys, keys.indices), uniquingKeysWith: { first, _ in first })
    }

    /// Only the hours, as counts of another name that has no keys.
    package func hours(as id: Int64) -> CatalogEntry {
        var entry = CatalogEntry(id: id, keys: [], taken: 0, takesKeys: false, countsKeys: false)
        entry.hours = hours
        return entry
    }

    /// Counts an event with its properties; with its traits when it is an identify or a group.
    /// - Parameter scanned: nil when the body is no JSON.
    package mutating func count(_ type: EventType, receivedAt: Int64, _ body: [UInt8], _ scanned: ScannedBody?) {
        let members: [ScannedBody.Member]? =
            switch type {
            case .track, .page, .screen: scanned?.properties
            case .identify, .group: scanned?.traits
            case .alias: nil
            }
        body.withUnsafeBufferPointer { count(hour: receivedAt / Self.hour, members ?? [], in: $0) }
    }

    private static let hour: Int64 = 3_600_000

    /// - Parameter bytes: the body of which these are members.
    private mutating func count(hour: Int64, _ members: [ScannedBody.Member], in bytes: UnsafeBufferPointer<UInt8>) {
        hours[hour, default: 0] += 1
        event += 1
        guard countsKeys else { return }
        for (position, member) in members.enumerated() {
            let kind = PropertyKind(firstByte: member.firstByte)
            guard member.key.isEscaped else {
                count(UnsafeBufferPointer(rebasing: bytes[member.key.range]), kind, position)
                continue
            }
            let text = ScannedObject.text(member.key.range.lowerBound - 1..<member.key.range.upperBound + 1, bytes)
            Array((text ?? "").utf8).withUnsafeBufferPointer { count($0, kind, position) }
        }
    }

    private mutating func count(_ key: UnsafeBufferPointer<UInt8>, _ kind: PropertyKind, _ position: Int) {
        guard let place = place(of: key, position) else {
            otherKeys[kind] += 1
            return
        }
        guard keys[place].event != event else { return }
        keys[place].event = event
        keys[place].counts[kind] += 1
    }

    private mutating func place(of key: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int? {
        if position < order.count, let place = order[position], Self.isSame(keys[place].bytes, key) { return place }
        let place = found(key)
        if position < order.count { order[position] = place } else { order.append(place) }
        return place
    }

    /// By one comparison of memory: this is done for nearly every property of every event.
    private static func isSame(_ left: [UInt8], _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        let count = right.count
        return left.withUnsafeBytes { left in
            guard count > 0, let left = left.baseAddress, let right = right.baseAddress else { return true }
            return memcmp(left, right, count) == 0
        }
    }

    private mutating func found(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
        guard key.count <= Limits.countedKeyBytes else { return nil }
        let bytes = Array(key)
        if let place = places[bytes] { return place }
        guard takesKeys, taken < Limits.countedKeys else { return nil }
        taken += 1
        tookKeys = true
        places[bytes] = keys.count
        keys.append(Key(bytes: bytes))
        return keys.count - 1
    }
}
