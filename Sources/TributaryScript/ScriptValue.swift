/// A value on its way into or out of a script.
///
/// Objects and arrays cross the border as JSON text, so nothing on the Swift side ever holds on to an object of the
/// engine.
public enum ScriptValue: Sendable, Hashable {
    case undefined
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    /// The JSON text of an object or an array.
    case json(String)

    /// The text of a string or of a JSON value; nil for everything else.
    public var text: String? {
        switch self {
        case .string(let text), .json(let text): text
        default: nil
        }
    }

    /// The number, when this is one.
    public var number: Double? {
        if case .number(let value) = self { return value }
        return nil
    }

    /// The truth value, when this is a boolean.
    public var bool: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }
}
