public import Foundation

/// A value on its way into or out of a script.
///
/// Objects and arrays cross the border as JSON text, so nothing on the Swift side ever holds on to an object of the
/// engine. Inside of that text dates are texts and numbers are doubles.
public enum ScriptValue: Sendable, Hashable {
    case undefined
    case null
    case bool(Bool)
    case number(Double)
    /// A whole number. Up to 2^53 a script gets a number, which comes back as `number`; beyond it a `BigInt`, which
    /// comes back as this.
    case integer(Int64)
    case string(String)
    /// A moment, which is a `Date` in a script, to the millisecond.
    case date(Date)
    /// An error that a script handed over, with message, line and stack; into a script goes the message.
    case error(ScriptError)
    /// The JSON text of an object or an array.
    case json(String)

    /// The text of a string or of a JSON value; nil for everything else.
    public var text: String? {
        switch self {
        case .string(let text), .json(let text): text
        default: nil
        }
    }

    /// The number, when this is one; that of an integer may be the nearest double.
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
