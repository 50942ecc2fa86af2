/// Calls methods of values.
extension RuleRun {
    func callMethod(_ node: RuleNode) throws(RuleFault) -> RuleValue {
        let owner = try value(node.children[0])
        if isChainOver { return .undefined }
        guard let method = RuleMethod(rawValue: node.text) else { throw .unsupported("\(node.text) is no method") }
        let nodes = node.children[1...]
        if case .array(let array) = owner, method.takesFunction {
            guard let lambda = nodes.first, lambda.operation == .lambda else {
                throw .type("\(node.text) needs a function")
            }
            return try callWithFunction(method, array, lambda, try values(nodes.dropFirst()))
        }
        // JavaScript looks the method up before it evaluates the arguments, and calls it afterwards.
        guard !owner.isNullish else { throw .type("\(owner.isNull ? "null" : "undefined") has no method \(node.text)") }
        guard !nodes.contains(where: { $0.operation == .lambda }) else {
            throw .type("the value has no method \(node.text) that takes a function")
        }
        let arguments = try values(nodes)
        switch owner {
        case .string, .units: return try callText(method, owner, arguments)
        case .array(let array): return try callArray(method, array, arguments)
        case .number(let number): return try callNumber(method, number, arguments)
        case .object(let object): return try callObject(method, object, arguments)
        case .bool(let value):
            guard method == .toString else { throw noMethod(method, owner) }
            return .string(value ? "true" : "false")
        default: throw noMethod(method, owner)
        }
    }

    private func noMethod(_ method: RuleMethod, _ owner: RuleValue) -> RuleFault {
        .type("a value of the type \(owner.typeName) has no method \(method.rawValue)")
    }

    private func callNumber(
        _ method: RuleMethod, _ number: Double, _ arguments: [RuleValue]
    ) throws(RuleFault) -> RuleValue {
        switch method {
        case .toFixed:
            let digits = try whole(arguments.first ?? .undefined)
            guard (0...100).contains(digits) else { throw .range("toFixed takes 0 to 100 digits") }
            try take(20)
            return .string(NumberText.fixed(number, digits: digits))
        case .toString:
            if let radix = arguments.first, !radix.isUndefined, try whole(radix) != 10 {
                throw .unsupported("it writes a number with another base than ten")
            }
            return .string(NumberText.text(number))
        case .hasOwnProperty: return .bool(false)
        default: throw noMethod(method, .number(number))
        }
    }

    private func callObject(
        _ method: RuleMethod, _ object: RuleObject, _ arguments: [RuleValue]
    ) throws(RuleFault) -> RuleValue {
        // A member of that name is no function.
        guard !object.has(method.rawValue) else { throw noMethod(method, .object(object)) }
        switch method {
        case .hasOwnProperty: return .bool(object.has(try key(arguments.first ?? .undefined)))
        case .toString: return .string("[object Object]")
        default: throw noMethod(method, .object(object))
        }
    }

    // MARK: Arrays

    private func callArray(
        _ method: RuleMethod, _ array: RuleArray, _ arguments: [RuleValue]
    ) throws(RuleFault) -> RuleValue {
        try take(array.count)
        let first = arguments.first ?? .undefined
        let count = array.count
        switch method {
        case .includes:
            let start = try place(arguments.count > 1 ? arguments[1] : .undefined, count, standard: 0)
            return .bool(array.values.dropFirst(start).contains { RuleValue.areSameOrNaN($0, first) })
        case .indexOf:
            let start = try place(arguments.count > 1 ? arguments[1] : .undefined, count, standard: 0)
            let found = array.values.dropFirst(start).firstIndex { RuleValue.areSame($0, first) }
            return .number(Double(found ?? -1))
        case .lastIndexOf:
            guard arguments.count < 2 else { throw .unsupported("it gives lastIndexOf a second argument") }
            return .number(Double(array.values.lastIndex { RuleValue.areSame($0, first) } ?? -1))
        case .at:
            let index = try whole(first)
            let place = index < 0 ? count + index : index
            return array.values.indices.contains(place) ? array.values[place] : .undefined
        case .join:
            let separator = try first.isUndefined ? "," : displayText(try text(first))
            return try joinedElements(.array(array), separator, depth: 0)
        case .slice:
            let range = try range(arguments, count)
            return .array(RuleArray(values: Array(array.values[range])))
        case .concat:
            var values = array.values
            for argument in arguments {
                if case .array(let other) = argument { values += other.values } else { values.append(argument) }
            }
            try checkCount(values.count)
            return .array(RuleArray(values: values))
        case .toString: return try joinedElements(.array(array), ",", depth: 0)
        case .hasOwnProperty:
            let key = try key(first)
            return .bool(key == "length" || RuleText.place(key).map { $0 < count } ?? false)
        default: return try changeArray(method, array, arguments)
        }
    }

    /// The methods that change the array itself.
    private func changeArray(
        _ method: RuleMethod, _ array: RuleArray, _ arguments: [RuleValue]
    ) throws(RuleFault) -> RuleValue {
        guard [.push, .pop, .shift, .unshift, .reverse, .sort].contains(method) else {
            throw noMethod(method, .array(array))
        }
        guard !array.isConstant else { throw .unsupported("it changes a constant of the script") }
        switch method {
        case .push:
            array.change { $0 += arguments }
            try checkCount(array.count)
            return .number(Double(array.count))
        case .unshift:
            array.change { $0 = arguments + $0 }
            try checkCount(array.count)
            return .number(Double(array.count))
        case .pop:
            let last = array.values.last
            if last != nil { array.change { $0.removeLast() } }
            return last ?? .undefined
        case .shift:
            let first = array.values.first
            if first != nil { array.change { $0.removeFirst() } }
            return first ?? .undefined
        case .reverse: array.change { $0.reverse() }
        default:
            guard arguments.allSatisfy(\.isUndefined) else { throw .type("sort takes a function") }
            try sort(array)
        }
        return .array(array)
    }

    /// Sorts by the elements' texts; undefined is last.
    private func sort(_ array: RuleArray) throws(RuleFault) {
        var keyed: [(key: [UInt16], value: RuleValue)] = []
        var missing: [RuleValue] = []
        for value in array.values {
            if value.isUndefined { missing.append(value) } else { keyed.append((try text(value).utf16, value)) }
        }
        try take(keyed.count * 8 + keyed.reduce(0) { $0 + $1.key.count })
        keyed.sort { $0.key.lexicographicallyPrecedes($1.key) }
        array.change { $0 = keyed.map(\.value) + missing }
    }

    // MARK: Functions for each element

    private func callWithFunction(
        _ method: RuleMethod, _ array: RuleArray, _ lambda: RuleNode, _ arguments: [RuleValue]
    ) throws(RuleFault) -> RuleValue {
        if method == .reduce { return try reduce(array, lambda, arguments) }
        var made: [RuleValue] = []
        // The engine passes over elements that are gone by then, except in a search.
        let count = array.count
        let isSearch = method == .find || method == .findIndex || method == .findLast
        for step in 0..<count {
            let place = method == .findLast ? count - 1 - step : step
            guard place < array.count || isSearch else { continue }
            let element = place < array.count ? array.values[place] : .undefined
            let answer = try call(lambda, [element, .number(Double(place)), .array(array)])
            switch method {
            case .map: made.append(answer)
            case .flatMap: if case .array(let inner) = answer { made += inner.values } else { made.append(answer) }
            case .filter where answer.isTrue: made.append(element)
            case .find where answer.isTrue, .findLast where answer.isTrue: return element
            case .findIndex where answer.isTrue: return .number(Double(place))
            case .some where answer.isTrue: return .bool(true)
            case .every where !answer.isTrue: return .bool(false)
            default: break
            }
            try checkCount(made.count)
        }
        switch method {
        case .map where made.count < count:
            throw .unsupported("it removes elements of the array while it goes through it")
        case .map, .filter, .flatMap: return .array(RuleArray(values: made))
        case .findIndex: return .number(-1)
        case .some: return .bool(false)
        case .every: return .bool(true)
        default: return .undefined
        }
    }

    private func reduce(
        _ array: RuleArray, _ lambda: RuleNode, _ arguments: [RuleValue]
    ) throws(RuleFault) -> RuleValue {
        var start = 0
        guard var result = arguments.first ?? array.values.first else {
            throw .type("reduce of an empty array needs a first value")
        }
        if arguments.isEmpty { start = 1 }
        let count = array.count
        guard start < count else { return result }
        for place in start..<count where place < array.count {
            result = try call(lambda, [result, array.values[place], .number(Double(place)), .array(array)])
        }
        return result
    }

    private func call(_ lambda: RuleNode, _ arguments: [RuleValue]) throws(RuleFault) -> RuleValue {
        for place in 0..<RuleProgram.lambdaSlots {
            slots[lambda.index + place] = place < arguments.count ? arguments[place] : .undefined
        }
        guard try perform(lambda.children[0]) == .return else { return .undefined }
        let value = result
        result = .undefined
        return value
    }

    // MARK: Places

    /// A place that may count from the end, within the bounds.
    func place(_ value: RuleValue, _ count: Int, standard: Int) throws(RuleFault) -> Int {
        guard !value.isUndefined else { return standard }
        let index = try whole(value)
        return index < 0 ? max(0, count + index) : min(index, count)
    }

    /// The range of `slice`.
    func range(_ arguments: [RuleValue], _ count: Int) throws(RuleFault) -> Range<Int> {
        let start = try place(arguments.first ?? .undefined, count, standard: 0)
        let end = try place(arguments.count > 1 ? arguments[1] : .undefined, count, standard: count)
        return start..<max(start, end)
    }
}

extension RuleValue {
    var isUndefined: Bool {
        if case .undefined = self { return true }
        return false
    }
}
