public import TributaryJSON

/// One place where two values differ.
public struct JSONDifference: Sendable, Hashable {
    /// Keys and positions, joined by dots; empty for the whole values.
    public let path: String
    /// Nil when only the second value has something at the path.
    public let before: JSON?
    /// Nil when only the first value has something at the path.
    public let after: JSON?

    /// The innermost differences, in the order of the first value. Members that only the second value has come last.
    ///
    /// - Parameter limit: the largest number of differences.
    public static func between(_ before: JSON, _ after: JSON, limit: Int = 100) -> [JSONDifference] {
        var differences: [JSONDifference] = []
        collect(before, after, at: "", limit, &differences)
        return differences
    }

    private static func collect(
        _ before: JSON, _ after: JSON, at path: String, _ limit: Int, _ differences: inout [JSONDifference]
    ) {
        guard differences.count < limit, before != after else { return }
        switch (before, after) {
        case (.object(let left), .object(let right)):
            for (key, value) in left { member(value, right[key], at: path, key, limit, &differences) }
            for (key, value) in right where left[key] == nil { member(nil, value, at: path, key, limit, &differences) }
        case (.array(let left), .array(let right)):
            for position in 0..<max(left.count, right.count) {
                let old = position < left.count ? left[position] : nil
                let new = position < right.count ? right[position] : nil
                member(old, new, at: path, String(position), limit, &differences)
            }
        default:
            differences.append(JSONDifference(path: path, before: before, after: after))
        }
    }

    private static func member(
        _ before: JSON?, _ after: JSON?, at path: String, _ key: String, _ limit: Int,
        _ differences: inout [JSONDifference]
    ) {
        let path = path.isEmpty ? key : "\(path).\(key)"
        if let before, let after { return collect(before, after, at: path, limit, &differences) }
        if differences.count < limit {
            differences.append(JSONDifference(path: path, before: before, after: after))
        }
    }
}
