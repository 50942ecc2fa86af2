package import TributaryJSON

/// Counts by name. A number that cannot be is cut off, so that sums never overflow.
package struct HealthCounts: Sendable, Equatable {
    /// Every reader of JSON takes a number of this size exactly.
    private static let largest = 1 << 52

    private var values: [String: Int] = [:]

    package init() {}

    /// - Parameters:
    ///   - names: the counts that are read; others mean nothing here. Nil reads all.
    ///   - most: a larger count is cut off.
    package init(_ json: JSON?, names: [String]? = nil, atMost most: Int = largest) {
        for (name, value) in json?.objectValue ?? [:] where names?.contains(name) ?? true {
            let count = value == true ? 1 : value.intValue ?? 0
            if count > 0 { values[name] = min(count, min(most, Self.largest)) }
        }
    }

    package subscript(name: String) -> Int {
        get { values[name] ?? 0 }
        set { values[name] = newValue > 0 ? min(newValue, Self.largest) : nil }
    }

    package var isEmpty: Bool { values.isEmpty }

    package mutating func add(_ other: HealthCounts) {
        for (name, count) in other.values { self[name] += count }
    }

    /// The counts that are not 0.
    package var json: JSONObject {
        var object = JSONObject()
        for (name, count) in values.sorted(by: { $0.key < $1.key }) { object[name] = .number(count) }
        return object
    }
}
