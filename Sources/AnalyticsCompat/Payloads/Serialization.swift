import Foundation

/// A type of an app that provides its own JSON form, for properties, traits and options.
public protocol SegmentSerializable {
    /// A text, number, date, address, or an array or a dictionary of these.
    func serializeToAppropriateType() -> Any
}

/// Converts dictionaries to JSON like analytics-ios: a value without a JSON form is left out and reported.
struct Serialization {
    private(set) var problems: [String] = []

    mutating func optional(_ dictionary: [String: Any]?, at place: String) -> JSON? {
        dictionary.map { .object(object($0, at: place)) }
    }

    mutating func object(_ dictionary: [String: Any], at place: String) -> JSONObject {
        json(dictionary, at: place)?.objectValue ?? [:]
    }

    /// The object of a dictionary of any type; nil for another value.
    mutating func object(of value: Any?, at place: String) -> JSONObject? {
        value.flatMap { [String: Any](membersOf: $0) }.map { object($0, at: place) }
    }

    private mutating func json(_ value: Any, at place: String) -> JSON? {
        var leftOut: [LeftOutValue] = []
        let json = JSON.converted(value, leftOut: &leftOut) {
            ($0 as? any SegmentSerializable)?.serializeToAppropriateType()
        }
        for value in leftOut { problems.append(value.path.isEmpty ? "\(place): \(value)" : "\(place).\(value)") }
        return json
    }
}
