/// A value without a JSON form, and its place. It is left out, or another value replaces it.
package struct LeftOutValue: Sendable, CustomStringConvertible {
    /// The keys and positions that lead to the value; empty for the whole value.
    package fileprivate(set) var path: [String]
    /// The reason, as a sentence.
    package let reason: String
    /// Whether another value is in its place.
    package let isReplaced: Bool

    init(_ path: [String], _ error: any Error) {
        self.path = path
        reason = "\(error)"
        isReplaced = false
    }

    /// A number that JSON cannot hold, and the text of the value in its place. The conversion around it adds the path.
    init(replaced number: Double, by text: String) {
        path = []
        reason = "\(number) has no JSON form, so it is sent as \(text)"
        isReplaced = true
    }

    /// `items.0.price: a value of type (Int, Int) has no JSON form`.
    package var description: String { path.isEmpty ? reason : "\(path.place): \(reason)" }
}

extension [String] {
    /// The keys and positions as one text. A long path has dots in its middle.
    package var place: String {
        guard count > 12 else { return joined(separator: ".") }
        return (prefix(6) + ["\u{2026}"] + suffix(3)).joined(separator: ".")
    }
}

/// Collects the values that a conversion leaves out, so that an invalid value costs only itself. Used by one thread,
/// for one conversion.
final class LeftOutValues {
    /// Read twice for each member of an event. Only one thread has the list, and nothing here calls back while it
    /// changes. So the check for simultaneous access at run time is switched off.
    @exclusivity(unchecked) private(set) var values: [LeftOutValue] = []
    var count: Int { values.count }

    func add(_ value: LeftOutValue) { values.append(value) }

    /// Adds a key or position to the paths of the values after the first `known`.
    func put(_ key: @autoclosure () -> String, before known: Int) {
        guard values.count > known else { return }
        let key = key()
        for position in known..<values.count { values[position].path.insert(key, at: 0) }
    }

    /// Sets the path of those values after the first `known` that have none.
    func locate(_ path: @autoclosure () -> [String], after known: Int) {
        guard values.count > known else { return }
        let path = path()
        for position in known..<values.count where values[position].path.isEmpty { values[position].path = path }
    }
}

extension JSON {
    /// Converts the value without the parts that have no JSON form.
    ///
    /// The value will be a member of an event, so that one level of ``JSONLimits/eventDepth`` is the event's own.
    /// - Parameters:
    ///   - leftOut: collects these parts and their paths.
    ///   - replacement: replaces values of an app's own types by values with a JSON form; nil keeps the value.
    /// - Returns: nil when no part of the value has a JSON form.
    package static func converted(
        _ value: Any, nonFinite: NonFiniteNumbers = .zero, leftOut: inout [LeftOutValue],
        replacement: ((Any) -> Any?)? = nil
    ) -> JSON? {
        collected(&leftOut) {
            try AnyConversion(
                nonFinite: nonFinite, leftOut: $0, limit: JSONLimits.eventDepth, replacement: replacement
            ).json(value, depth: 1)
        }
    }

    /// Converts a value that encodes itself. A member that throws costs only itself.
    package static func converted<Value: Encodable>(
        encoding value: Value, nonFinite: NonFiniteNumbers = .zero, leftOut: inout [LeftOutValue]
    ) -> JSON? {
        collected(&leftOut) {
            try JSONEncoding(nonFinite: nonFinite, leftOut: $0, limit: JSONLimits.eventDepth)
                .box(value, depth: 1, codingPath: [])
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
