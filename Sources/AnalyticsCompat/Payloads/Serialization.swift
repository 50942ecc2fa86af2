import Foundation

/// A type of an app that provides its own JSON form, for properties, traits and options.
public protocol SegmentSerializable {
    /// A text, number, date, address, or an array or a dictionary of these.
    func serializeToAppropriateType() -> Any
}

/// Converts dictionaries to JSON like analytics-ios: a value without a JSON form is left out and reported.
struct Serialization {
    private static let depth = 100

    private(set) var problems: [String] = []

    mutating func optional(_ dictionary: [String: Any]?, at place: String) -> JSON? {
        dictionary.map { .object(object($0, at: place)) }
    }

    mutating func object(_ dictionary: [String: Any], at place: String) -> JSONObject {
        object(dictionary, at: place, depth: 0)
    }

    private mutating func object(_ dictionary: [String: Any], at place: String, depth: Int) -> JSONObject {
        var result = JSONObject()
        for key in dictionary.keys.sorted() {
            guard let value = dictionary[key] else { continue }
            result[key] = json(value, at: "\(place).\(key)", depth: depth + 1)
        }
        return result
    }

    private mutating func json(_ value: Any, at place: String, depth: Int) -> JSON? {
        guard depth <= Self.depth else { return leaveOut(place, "it is nested too deeply") }
        switch value {
        case let value as JSON: return value
        case let value as any SegmentSerializable:
            return json(value.serializeToAppropriateType(), at: place, depth: depth + 1)
        case let value as [String: Any]: return .object(object(value, at: place, depth: depth))
        case let value as [Any]:
            var elements: [JSON] = []
            for (index, element) in value.enumerated() {
                if let json = json(element, at: "\(place).\(index)", depth: depth + 1) { elements.append(json) }
            }
            return .array(elements)
        default:
            var leftOut: [LeftOutValue] = []
            let json = JSON.converted(value, leftOut: &leftOut)
            for value in leftOut { problems.append(value.path.isEmpty ? "\(place): \(value)" : "\(place).\(value)") }
            return json
        }
    }

    private mutating func leaveOut(_ place: String, _ reason: String) -> JSON? {
        problems.append("\(place): \(reason)")
        return nil
    }
}
