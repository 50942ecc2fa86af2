/// A value while a program runs, as JavaScript knows it.
package enum RuleValue {
    case undefined
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    /// A text with half a surrogate pair, which no Swift string can hold.
    case units([UInt16])
    case object(RuleObject)
    case array(RuleArray)
    /// A built-in function that a member's name has led to, and the name. Programs can only compare it.
    case function(String)

    /// The text of UTF-16 units.
    init(units: [UInt16]) {
        let text = String(decoding: units, as: UTF16.self)
        // A text without U+FFFD was complete. One with it may have been, too.
        self =
            !text.unicodeScalars.contains("\u{FFFD}") || text.utf16.elementsEqual(units) ? .string(text) : .units(units)
    }

    var isNullish: Bool {
        switch self {
        case .undefined, .null: true
        default: false
        }
    }

    /// Whether it counts as true.
    var isTrue: Bool {
        switch self {
        case .undefined, .null: false
        case .bool(let value): value
        case .number(let value): value != 0 && !value.isNaN
        case .string(let text): !text.isEmpty
        case .units, .object, .array, .function: true
        }
    }

    /// The result of `typeof`.
    var typeName: String {
        switch self {
        case .undefined: "undefined"
        case .null, .object, .array: "object"
        case .bool: "boolean"
        case .number: "number"
        case .string, .units: "string"
        case .function: "function"
        }
    }

    var isText: Bool {
        switch self {
        case .string, .units: true
        default: false
        }
    }

    /// The units of a text.
    var utf16: [UInt16] {
        switch self {
        case .string(let text): Array(text.utf16)
        case .units(let units): units
        default: []
        }
    }

    /// `===`
    static func areSame(_ left: RuleValue, _ right: RuleValue) -> Bool {
        switch (left, right) {
        case (.undefined, .undefined), (.null, .null): true
        case (.function(let a), .function(let b)): a == b
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): RuleText.areSame(a, b)
        case (.units(let a), .units(let b)): a == b
        case (.object(let a), .object(let b)): a === b
        case (.array(let a), .array(let b)): a === b
        default: false
        }
    }

    /// Whether `===` holds.
    package func isSame(as other: RuleValue) -> Bool { Self.areSame(self, other) }

    /// As `includes` compares: not-a-number is itself.
    static func areSameOrNaN(_ left: RuleValue, _ right: RuleValue) -> Bool {
        if case .number(let a) = left, case .number(let b) = right, a.isNaN, b.isNaN { return true }
        return areSame(left, right)
    }
}

/// Why a program stopped before its end.
package struct RuleFault: Error {
    package enum Kind: Sendable {
        /// JavaScript would throw an exception.
        case exception
        /// It used up its steps.
        case steps
        /// It did what a script may do and a program may not, such as changing a constant.
        case unsupported
    }

    package let kind: Kind
    package let message: String

    package init(kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }

    static func type(_ message: String) -> RuleFault { RuleFault(kind: .exception, message: "TypeError: " + message) }
    static func range(_ message: String) -> RuleFault { RuleFault(kind: .exception, message: "RangeError: " + message) }
    static func unsupported(_ message: String) -> RuleFault { RuleFault(kind: .unsupported, message: message) }
}
