public import TributaryJSON

/// A signal: something that happened in the app. Scripts make events of signals.
///
/// An app's own signal is a type that conforms to this protocol, with the `type` `.userDefined` and any `data`:
///
/// ```swift
/// struct SearchSignal: RawSignal {
///     struct SearchData: Codable { let words: String }
///     var anonymousId = Signals.shared.anonymousId
///     var type = SignalType.userDefined
///     var timestamp = Date().iso8601()
///     var index = Signals.shared.nextIndex
///     var data: SearchData
/// }
/// ```
///
/// On the wire and in scripts a signal is the JSON object of its members.
public protocol RawSignal: Codable, Sendable {
    /// The data of signals of this type.
    associatedtype SignalData: Codable

    /// The id of the device or installation. An empty one is set when the signal is processed.
    var anonymousId: String { get set }
    /// The kind of signal.
    var type: SignalType { get }
    /// The time, as `Date().iso8601()` writes it.
    var timestamp: String { get }
    /// The place among all signals of the process. A negative one is set when the signal is emitted.
    var index: Int { get set }
    /// The data of the signal.
    var data: SignalData { get }
}

extension RawSignal {
    /// The signal as scripts and broadcasters get it: `anonymousId`, `type`, `timestamp`, `index`, `data` and any other
    /// member of an app's own type.
    /// - Throws: `JSONError` when a member has no JSON form.
    public func json() throws -> JSON {
        guard let described = self as? any DescribedSignal else { return try encodedJSON() }
        var members = envelope()
        members["data"] = .object(described.dataMembers)
        return .object(members)
    }

    /// Uses the app's own encoding, except for the members that every signal has.
    private func encodedJSON() throws -> JSON {
        var members = envelope()
        for (key, value) in try JSON(with: self).objectValue ?? JSONObject() where members[key] == nil {
            members[key] = value
        }
        return .object(members)
    }

    private func envelope() -> JSONObject {
        var members = JSONObject()
        members["anonymousId"] = .string(anonymousId)
        members["type"] = .string(type.rawValue)
        members["timestamp"] = .string(timestamp)
        members["index"] = .number(JSONNumber(index))
        return members
    }
}

/// A signal of a known type, with data that need not be encoded through `Encodable`.
protocol DescribedSignal: RawSignal {
    var dataMembers: JSONObject { get }
}

/// The index of a signal that has not been emitted yet.
let indexToCome = -1
