import TributaryJSON

/// Calls functions of the language.
extension RuleRun {
    func callBuiltin(_ node: RuleNode) throws(RuleFault) -> RuleValue {
        guard let builtin = RuleBuiltin(rawValue: node.text) else { throw .unsupported("\(node.text) is no function") }
        let arguments = try values(node.children[...])
        let first = arguments.first ?? .undefined
        let second = arguments.count > 1 ? arguments[1] : .undefined
        switch builtin {
        case .string: return arguments.isEmpty ? .string("") : try text(first)
        case .number: return .number(arguments.isEmpty ? 0 : try number(first))
        case .boolean: return .bool(first.isTrue)
        case .parseInt:
            let digits = try displayText(try text(first))
            return .number(NumberText.integer(digits, radix: try number(second)))
        case .parseFloat: return .number(NumberText.float(try displayText(try text(first))))
        case .isNaN: return .bool(try number(first).isNaN)
        case .isFinite: return .bool(try number(first).isFinite)
        case .isInteger, .isFiniteNumber, .isNaNNumber: return .bool(Self.check(builtin, first))
        case .round, .floor, .ceil, .trunc, .abs, .sign, .squareRoot:
            return .number(Self.rounded(builtin, try number(first)))
        case .power:
            let base = try number(first)
            return .number(Self.power(base, try number(second)))
        case .min, .max: return .number(try extreme(arguments, isMax: builtin == .max))
        case .isArray: return .bool(first.isArray)
        case .list: return .array(RuleArray(values: try list(of: first)))
        case .setHas:
            guard case .array(let array) = first else { return .bool(false) }
            try take(array.count)
            return .bool(array.values.contains { RuleValue.areSameOrNaN($0, second) })
        case .stringify: return try stringified(arguments)
        default: return try callObjectFunction(builtin, arguments)
        }
    }

    private static func check(_ builtin: RuleBuiltin, _ value: RuleValue) -> Bool {
        guard case .number(let number) = value else { return false }
        return switch builtin {
        case .isInteger: number.isFinite && number.rounded(.towardZero) == number
        case .isFiniteNumber: number.isFinite
        default: number.isNaN
        }
    }

    private static func rounded(_ builtin: RuleBuiltin, _ number: Double) -> Double {
        switch builtin {
        case .round:
            let floor = number.rounded(.down)
            let rounded = number - floor >= 0.5 ? floor + 1 : floor
            return rounded == 0 && number < 0 ? -0.0 : rounded
        case .floor: return number.rounded(.down)
        case .ceil: return number.rounded(.up)
        case .trunc: return number.rounded(.towardZero)
        case .abs: return number.magnitude
        case .squareRoot: return number.squareRoot()
        default: return number > 0 ? 1 : number < 0 ? -1 : number
        }
    }

    private func extreme(_ arguments: [RuleValue], isMax: Bool) throws(RuleFault) -> Double {
        var result = isMax ? -Double.infinity : .infinity
        var isNaN = false
        for argument in arguments {
            let number = try number(argument)
            if number.isNaN { isNaN = true }
            let isZeroAfterMinusZero = number == 0 && result == 0 && (number.sign == .minus) != isMax
            if isMax ? number > result : number < result { result = number }
            if isZeroAfterMinusZero { result = number }
        }
        return isNaN ? .nan : result
    }

    private func stringified(_ arguments: [RuleValue]) throws(RuleFault) -> RuleValue {
        guard arguments.count < 2 else { throw .unsupported("it gives JSON.stringify a second argument") }
        guard let text = try jsonText(arguments.first ?? .undefined, depth: 0) else { return .undefined }
        try take(text.utf8.count / 16)
        try checkText(text.utf8.count)
        return .string(text)
    }

    /// The text of `JSON.stringify`, which writes half a surrogate pair as an escape.
    private func jsonText(_ value: RuleValue, depth: Int) throws(RuleFault) -> String? {
        guard depth <= RuleLimits.valueDepth else { throw .type("the value contains itself, or is nested too deep") }
        try take()
        switch value {
        case .units(let units): return RuleText.escaped(units)
        case .array(let array):
            var texts: [String] = []
            for element in array.values { texts.append(try jsonText(element, depth: depth + 1) ?? "null") }
            return "[" + texts.joined(separator: ",") + "]"
        case .object(let object):
            var texts: [String] = []
            for key in object.keys {
                guard let text = try jsonText(object.member(key) ?? .undefined, depth: depth + 1) else { continue }
                texts.append(JSON.string(key).description + ":" + text)
            }
            return "{" + texts.joined(separator: ",") + "}"
        default: return try RuleOutput(isExact: true).json(value)?.description
        }
    }

    // MARK: Members of objects

    private func callObjectFunction(_ builtin: RuleBuiltin, _ arguments: [RuleValue]) throws(RuleFault) -> RuleValue {
        let first = arguments.first ?? .undefined
        if builtin == .fromEntries { return try object(of: first) }
        guard !first.isNullish else { throw .type("\(first.isNull ? "null" : "undefined") has no members") }
        switch builtin {
        case .keys: return .array(RuleArray(values: try forInKeys(of: first).map { .string($0) }))
        case .values: return .array(RuleArray(values: try entries(of: first).map(\.value)))
        case .entries:
            return .array(
                RuleArray(
                    values: try entries(of: first).map { .array(RuleArray(values: [.string($0.key), $0.value])) }))
        case .hasOwn:
            let key = try key(arguments.count > 1 ? arguments[1] : .undefined)
            return .bool(
                try entries(of: first).contains { RuleText.areSame($0.key, key) }
                    || key == "length" && (first.isArray || first.isText))
        case .without:
            let rest = RuleObject()
            var names: Set<String> = []
            for argument in arguments.dropFirst() { names.insert(try key(argument)) }
            try copyMembers(of: first, to: rest, without: names)
            return .object(rest)
        case .assign: return try assign(arguments, to: first)
        default: return first
        }
    }

    private func entries(of value: RuleValue) throws(RuleFault) -> [(key: String, value: RuleValue)] {
        switch value {
        case .object(let object):
            try take(object.count)
            return object.keys.map { ($0, object.member($0) ?? .undefined) }
        case .array, .string, .units:
            let elements = value.isText ? unitTexts(of: value) : try list(of: value)
            try take(elements.count)
            return elements.enumerated().map { (String($0.offset), $0.element) }
        default: return []
        }
    }

    private func assign(_ arguments: [RuleValue], to target: RuleValue) throws(RuleFault) -> RuleValue {
        guard case .object = target else { throw .unsupported("Object.assign gets no object") }
        for source in arguments.dropFirst() {
            for (key, value) in try entries(of: source) { try setMember(key, of: target, to: value) }
        }
        return target
    }

    private func object(of entries: RuleValue) throws(RuleFault) -> RuleValue {
        let object = RuleObject()
        for entry in try list(of: entries) {
            guard entry.isObject else { throw .type("an entry is no object") }
            let key = try key(try getMember("0", of: entry))
            object.set(key, try getMember("1", of: entry))
        }
        return .object(object)
    }
}

extension RuleValue {
    var isObject: Bool {
        switch self {
        case .object, .array: true
        default: false
        }
    }
}
