/// A value that differs between two documents, such as an event before and after a plugin.
package struct JSONDifference: Sendable, Equatable {
    /// The path of the value, such as `properties.products[].price`. Values of all elements of an array share a path.
    package let path: String
    /// The value in the first document; nil when it is not there.
    package let before: JSON?
    /// The value in the second document; nil when it is not there.
    package let after: JSON?

    /// The values that differ, each path once, in the order of the documents.
    package static func all(_ before: JSON, _ after: JSON) -> [JSONDifference] {
        var found: [JSONDifference] = []
        collect(before, after, "", &found)
        var paths: Set<String> = []
        return found.filter { paths.insert($0.path).inserted }
    }

    private static func collect(_ before: JSON?, _ after: JSON?, _ path: String, _ found: inout [JSONDifference]) {
        guard before != after else { return }
        if let one = before?.objectValue, let other = after?.objectValue {
            for (key, value) in one { collect(value, other[key], path.isEmpty ? key : "\(path).\(key)", &found) }
            for (key, value) in other where one[key] == nil {
                collect(nil, value, path.isEmpty ? key : "\(path).\(key)", &found)
            }
        } else if let one = before?.elements, let other = after?.elements, one.count == other.count {
            for (value, otherValue) in zip(one, other) { collect(value, otherValue, path + "[]", &found) }
        } else {
            found.append(JSONDifference(path: path, before: before, after: after))
        }
    }
}
