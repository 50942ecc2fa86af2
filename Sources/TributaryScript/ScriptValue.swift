public import Foundation

/// A value that is passed into or out of a script.
///
/// Objects and arrays are passed as JSON text, so nothing in Swift holds an object of the engine. In that text, dates
/// are texts and numbers are doubles.
public enum ScriptValue: Sendable, Hashable {
    case undefined
    case null
    case bool(Bool)
    case number(Double)
    /// A whole number. Up to 2^53 a script gets a number, which returns as `number`. Beyond that it gets a `BigInt`,
    /// which returns as `integer`.
    case integer(Int64)
    case string(String)
    /// A time, which is a `Date` in a script, to the millisecond.
    case date(Date)
    /// An error of a script, with message, line and stack. A script gets only the message.
    case error(ScriptError)
    /// The JSON text of an object or an array.
    case json(String)

    /// The text of a string, or of a JSON value; nil for all others.
    public var text: String? {
        switch self {
        case .string(let text), .json(let text): text
        default: nil
        }
    }

    /// The number, when this is a number. For an integer it may be the nearest double.
    public var number: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    /// The truth value, when this is a boolean.
    public var bool: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }
}
