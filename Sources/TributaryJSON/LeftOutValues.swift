/// A value that has no JSON form, and where it was.
package struct LeftOutValue: Sendable, CustomStringConvertible {
    /// The keys and positions that lead to it; none when it is the whole value.
    package fileprivate(set) var path: [String]
    /// Why it has none, as a sentence.
    package let reason: String

    init(_ path: [String], _ error: any Error) {
        self.path = path
        reason = "\(error)"
    }

    /// `items.0.price: a value of type (Int, Int) has no JSON form`.
    package var description: String { path.isEmpty ? reason : "\(path.joined(separator: ".")): \(reason)" }
}

/// Collects the values that a conversion leaves out, so that one bad value costs only itself. Used by one thread, for
/// one conversion.
final class LeftOutValues {
    /// Asked about twice for each member of an event. Only one thread has the list, and nothing here calls back while it
    /// changes, so a check at run time that nobody else is at it would find nothing.
    @exclusivity(unchecked) private(set) var values: [LeftOutValue] = []
    var count: Int { values.count }

    func add(_ value: LeftOutValue) { values.append(value) }

    /// Adds a key or position to the paths of the values that were added since there were `known`.
    func put(_ key: @autoclosure () -> String, before known: Int) {
        guard values.count > known else { return }
        let key = key()
        for position in known..<values.count { values[position].path.insert(key, at: 0) }
    }
}

extension JSON {
    /// The value, without the parts that have no JSON form.
    /// - Parameter leftOut: collects these parts and their paths.
    /// - Returns: nil when nothing of the value has a JSON form.
    package static func converted(
        _ value: Any, nonFinite: NonFiniteNumbers = .zero, leftOut: inout [LeftOutValue]
    ) -> JSON? {
        collected(&leftOut) { try AnyConversion(nonFinite: nonFinite, leftOut: $0).json(value, depth: 0) }
    }

    /// The same for a value that encodes itself: a member that throws costs only itself.
    package static func converted<Value: Encodable>(
        encoding value: Value, nonFinite: NonFiniteNumbers = .zero, leftOut: inout [LeftOutValue]
    ) -> JSON? {
        collected(&leftOut) {
            try JSONEncoding(nonFinite: nonFinite, leftOut: $0).box(value, depth: 0, codingPath: [])
        }
    }

    private static func collected(
        _ leftOut: inout [LeftOutValue], _ convert: (LeftOutValues) throws -> JSON
    ) -> JSON? {
        let values = LeftOutValues()
        defer { leftOut += values.values }
        do {
            return try convert(values)
        } catch {
            values.add(LeftOutValue([], error))
            return nil
        }
    }
}
