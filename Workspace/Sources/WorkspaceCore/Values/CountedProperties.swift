/// The properties of the events of one name.
package struct CountedProperties: Sendable, Equatable {
    /// By their keys, which are UTF-8.
    package var keys: [[UInt8]: KindCounts] = [:]
    /// Values under keys that are not counted apart, because the name has too many or the key is too long.
    package var others = KindCounts()

    package init(keys: [[UInt8]: KindCounts] = [:], others: KindCounts = KindCounts()) {
        (self.keys, self.others) = (keys, others)
    }

    package mutating func add(_ more: CountedProperties) {
        for (key, counts) in more.keys { keys[key, default: KindCounts()] += counts }
        others += more.others
    }
}
