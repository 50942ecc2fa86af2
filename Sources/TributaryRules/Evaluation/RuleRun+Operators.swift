import Foundation

/// Operators, and how they convert their operands.
extension RuleRun {
    func operatorValue(_ node: RuleNode) throws(RuleFault) -> RuleValue {
        let left = try value(node.children[0])
        if node.children.count == 1 { return try unary(node.operation, left) }
        let right = try value(node.children[1])
        switch node.operation {
        case .add: return try add(left, right)
        case .equal: return .bool(try areEqual(left, right))
        case .notEqual: return .bool(try !areEqual(left, right))
        case .less:
            return .bool(
                try compare(left, right) {
                    $0 < $1
                } texts: {
                    Self.isBefore($0, $1)
                })
        case .greater:
            return .bool(
                try compare(left, right) {
                    $0 > $1
                } texts: {
                    Self.isBefore($1, $0)
                })
        case .lessOrEqual:
            return .bool(
                try compare(left, right) {
                    $0 <= $1
                } texts: {
                    !Self.isBefore($1, $0)
                })
        case .greaterOrEqual:
            return .bool(
                try compare(left, right) {
                    $0 >= $1
                } texts: {
                    !Self.isBefore($0, $1)
                })
        case .in: return .bool(try has(left, in: right))
        default:
            let first = try number(left)
            return .number(try Self.arithmetic(node.operation, first, try number(right)))
        }
    }

    private func unary(_ operation: RuleOperation, _ operand: RuleValue) throws(RuleFault) -> RuleValue {
        switch operation {
        case .not: return .bool(!operand.isTrue)
        case .negate: return .number(-(try number(operand)))
        case .plus: return .number(try number(operand))
        case .bitNot: return .number(Double(~NumberText.int32(try number(operand))))
        case .type: return .string(operand.typeName)
        case .void: return .undefined
        default: throw .unsupported("\(operation.rawValue) is no operator")
        }
    }

    private static func arithmetic(
        _ operation: RuleOperation, _ left: Double, _ right: Double
    ) throws(RuleFault) -> Double {
        switch operation {
        case .subtract: return left - right
        case .multiply: return left * right
        case .divide: return left / right
        case .remainder: return left.truncatingRemainder(dividingBy: right)
        case .power: return power(left, right)
        case .bitAnd: return Double(NumberText.int32(left) & NumberText.int32(right))
        case .bitOr: return Double(NumberText.int32(left) | NumberText.int32(right))
        case .bitXor: return Double(NumberText.int32(left) ^ NumberText.int32(right))
        case .shiftLeft:
            return Double(
                Int32(truncatingIfNeeded: Int64(NumberText.int32(left)) << Int64(NumberText.uint32(right) & 31)))
        case .shiftRight: return Double(NumberText.int32(left) >> Int(NumberText.uint32(right) & 31))
        case .shiftRightUnsigned: return Double(NumberText.uint32(left) >> (NumberText.uint32(right) & 31))
        default: throw .unsupported("\(operation.rawValue) is no operator")
        }
    }

    /// As the engine computes it: whole exponents by multiplying, because `pow` may differ in the last digit.
    static func power(_ base: Double, _ exponent: Double) -> Double {
        if exponent.isNaN || base.magnitude == 1 && exponent.isInfinite { return .nan }
        if exponent == 0.5 { return base == 0 ? 0 : base.isInfinite ? .infinity : base.squareRoot() }
        if exponent == -0.5 {
            return base == 0 ? .infinity : base.isInfinite ? 0 : 1 / base.squareRoot()
        }
        guard exponent >= 0, exponent <= 1000, var whole = Int(exactly: exponent) else { return pow(base, exponent) }
        var (result, factor) = (1.0, base)
        while whole > 0 {
            if whole & 1 == 1 { result *= factor }
            factor *= factor
            whole >>= 1
        }
        return result
    }

    private func add(_ left: RuleValue, _ right: RuleValue) throws(RuleFault) -> RuleValue {
        if case .number(let a) = left, case .number(let b) = right { return .number(a + b) }
        let (first, second) = (try primitive(left), try primitive(right))
        if first.isText || second.isText { return try joined(try text(first), try text(second)) }
        let sum = try number(first)
        return .number(sum + (try number(second)))
    }

    /// Joins two texts.
    func joined(_ left: RuleValue, _ right: RuleValue) throws(RuleFault) -> RuleValue {
        if case .string(let a) = left, case .string(let b) = right {
            let count = a.utf8.count + b.utf8.count
            try take(count / 16)
            try checkText(count)
            return .string(a + b)
        }
        let units = left.utf16 + right.utf16
        try take(units.count / 16)
        try checkText(units.count)
        return RuleValue(units: units)
    }

    func checkText(_ units: Int) throws(RuleFault) {
        guard units <= RuleLimits.textUnits else {
            throw .unsupported("a text of a program has at most \(RuleLimits.textUnits) characters")
        }
    }

    private func compare(
        _ left: RuleValue, _ right: RuleValue, numbers: (Double, Double) -> Bool,
        texts: (RuleValue, RuleValue) -> Bool
    ) throws(RuleFault) -> Bool {
        if case .number(let a) = left, case .number(let b) = right { return numbers(a, b) }
        let (first, second) = (try primitive(left), try primitive(right))
        if first.isText, second.isText {
            try take((length(of: first) + length(of: second)) / 16)
            return texts(first, second)
        }
        let a = try number(first)
        return numbers(a, try number(second))
    }

    /// The order of UTF-16 units.
    static func isBefore(_ left: RuleValue, _ right: RuleValue) -> Bool {
        left.utf16.lexicographicallyPrecedes(right.utf16)
    }

    private func areEqual(_ left: RuleValue, _ right: RuleValue) throws(RuleFault) -> Bool {
        switch (left, right) {
        case (.undefined, .null), (.null, .undefined): return true
        case (.undefined, _), (.null, _), (_, .undefined), (_, .null): return RuleValue.areSame(left, right)
        case (.bool, .bool): return RuleValue.areSame(left, right)
        case (.bool(let value), _): return try areEqual(.number(value ? 1 : 0), right)
        case (_, .bool(let value)): return try areEqual(left, .number(value ? 1 : 0))
        case (.number(let a), .string), (.number(let a), .units): return a == (try number(right))
        case (.string, .number(let b)), (.units, .number(let b)): return try number(left) == b
        case (.object, .object), (.array, .array), (.object, .array), (.array, .object), (.function, _), (_, .function):
            return RuleValue.areSame(left, right)
        case (.object, _), (.array, _): return try areEqual(try primitive(left), right)
        case (_, .object), (_, .array): return try areEqual(left, try primitive(right))
        default: return RuleValue.areSame(left, right)
        }
    }

    private func has(_ given: RuleValue, in owner: RuleValue) throws(RuleFault) -> Bool {
        switch owner {
        case .object(let object):
            let key = try key(given)
            return object.has(key) || InheritedNames.object.contains(key)
        case .array(let array):
            let key = try key(given)
            if let place = RuleText.place(key) { return place < array.count }
            return key == "length" || InheritedNames.array.contains(key)
        case .function: throw .unsupported("it looks into a built-in function")
        default: throw .type("a value of the type \(owner.typeName) has no members to look for")
        }
    }

    // MARK: Conversions

    /// The text of an object or an array; any other value as it is.
    func primitive(_ value: RuleValue) throws(RuleFault) -> RuleValue {
        switch value {
        case .object(let object):
            // A member of that name hides the function, and is none itself.
            guard !object.has("toString") else { throw .type("an object has no value as a text") }
            return .string("[object Object]")
        case .array: return try joinedElements(value, ",", depth: 0)
        case .function: throw .unsupported("it makes a text of a built-in function")
        default: return value
        }
    }

    func text(_ value: RuleValue) throws(RuleFault) -> RuleValue {
        switch value {
        case .string, .units: value
        case .undefined: .string("undefined")
        case .null: .string("null")
        case .bool(let value): .string(value ? "true" : "false")
        case .number(let value): .string(NumberText.text(value))
        default: try primitive(value)
        }
    }

    /// A Swift string, with U+FFFD for half a surrogate pair.
    func displayText(_ value: RuleValue) throws(RuleFault) -> String {
        switch value {
        case .string(let text): text
        case .units(let units): String(decoding: units, as: UTF16.self)
        default: ""
        }
    }

    func number(_ value: RuleValue) throws(RuleFault) -> Double {
        switch value {
        case .number(let value): return value
        case .undefined, .units, .function: return .nan
        case .null: return 0
        case .bool(let value): return value ? 1 : 0
        case .string(let text):
            try take(text.utf8.count / 16)
            return NumberText.number(text)
        default: return try number(try primitive(value))
        }
    }

    /// `ToIntegerOrInfinity`, clamped to what an `Int` of 32 bits holds, which is more than any text or array has.
    func whole(_ value: RuleValue) throws(RuleFault) -> Int {
        let number = try number(value)
        if number.isNaN { return 0 }
        return Int(max(-2_147_483_647, min(2_147_483_647, number.rounded(.towardZero))))
    }

    /// The elements of an array, with a text between them.
    func joinedElements(_ value: RuleValue, _ separator: String, depth: Int) throws(RuleFault) -> RuleValue {
        guard case .array(let array) = value else { return try text(value) }
        guard depth < 20 else { throw .unsupported("arrays are nested too deep for a text") }
        try take(array.count)
        var result = RuleValue.string("")
        for (place, element) in array.values.enumerated() {
            if place > 0, !separator.isEmpty { result = try joined(result, .string(separator)) }
            if element.isNullish { continue }
            result = try joined(result, try joinedElements(element, element.isArray ? "," : "", depth: depth + 1))
        }
        return result
    }
}

extension RuleValue {
    var isArray: Bool {
        if case .array = self { return true }
        return false
    }
}
