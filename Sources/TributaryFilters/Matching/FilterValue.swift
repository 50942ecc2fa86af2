import TributaryJSON

/// A value while a matcher is evaluated, with JavaScript's types. Copying one copies no text.
enum FilterValue: Sendable {
    case undefined
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    /// The lower case of this text, which is built only where nothing else helps.
    case lowercase(String)
    /// An array or an object.
    case container(JSON)

    init(_ json: JSON?) {
        switch json {
        case nil: self = .undefined
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let value): self = .number(value.double)
        case .string(let value): self = .text(value)
        case .array, .object: self = json.map(FilterValue.container) ?? .undefined
        }
    }

    /// The name that `typeof` gives.
    var typeName: String {
        switch self {
        case .undefined: "undefined"
        case .null, .container: "object"
        case .bool: "boolean"
        case .number: "number"
        case .text, .lowercase: "string"
        }
    }

    /// UTF-16 units of a text, elements of an array, 0 for null, not a number for the rest.
    var length: Double {
        switch self {
        case .null: 0
        case .text(let text): Double(text.utf16Count)
        case .lowercase(let text): Double(JavaScriptText.lowercase(text).utf16Count)
        case .container(.array(let elements)): Double(elements.count)
        case .undefined, .bool, .number, .container: .nan
        }
    }

    /// The member of that name; undefined for what has none.
    func member(_ key: PathKey) -> FilterValue {
        switch self {
        case .container(let json): FilterValue(key.member(of: json))
        case .text(let text): FilterValue(key.member(of: .string(text)))
        case .undefined, .null, .bool, .number, .lowercase: .undefined
        }
    }

    /// What the operators `=` and `in` have in common: `===` of values that are not both objects.
    private func isSamePrimitive(as other: FilterValue) -> Bool {
        switch (self, other) {
        case (.undefined, .undefined), (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.text(let left), .text(let right)): left.hasSameUnits(as: right)
        case (.lowercase(let text), .text(let other)), (.text(let other), .lowercase(let text)):
            JavaScriptText.isLowercase(of: text, equalTo: other)
        case (.lowercase(let left), .lowercase(let right)):
            JavaScriptText.isLowercase(of: left, equalTo: JavaScriptText.lowercase(right))
        default: false
        }
    }

    /// The operator `=`: `===`, but objects and arrays by their JSON texts.
    func isEqual(to other: FilterValue) -> Bool {
        if case (.container(let left), .container(let right)) = (self, other) {
            return JavaScriptText.hasSameText(left, right)
        }
        return isSamePrimitive(as: other)
    }

    /// `===` of two values that come from different places, so that no two objects are the same.
    func isIdentical(to other: FilterValue) -> Bool { isSamePrimitive(as: other) }
}
