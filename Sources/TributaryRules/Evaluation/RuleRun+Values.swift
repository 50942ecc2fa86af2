import TributaryJSON

/// Evaluates the nodes that have a value.
extension RuleRun {
    func value(_ node: RuleNode) throws(RuleFault) -> RuleValue {
        try take()
        switch node.operation {
        case .slot: return slots[node.index]
        case .text: return .string(node.text)
        case .get: return try getMember(node)
        case .set: return try setMember(node)
        case .choose: return try value(node.children[0]).isTrue ? value(node.children[1]) : value(node.children[2])
        case .and:
            let left = try value(node.children[0])
            return left.isTrue ? try value(node.children[1]) : left
        case .or:
            let left = try value(node.children[0])
            return left.isTrue ? left : try value(node.children[1])
        case .coalesce:
            let left = try value(node.children[0])
            return left.isNullish ? try value(node.children[1]) : left
        case .same: return .bool(RuleValue.areSame(try value(node.children[0]), try value(node.children[1])))
        case .notSame: return .bool(!RuleValue.areSame(try value(node.children[0]), try value(node.children[1])))
        case .assign:
            let assigned = try value(node.children[0])
            slots[node.index] = assigned
            return assigned
        default: return try otherValue(node)
        }
    }

    private func otherValue(_ node: RuleNode) throws(RuleFault) -> RuleValue {
        switch node.operation {
        case .undefined: return .undefined
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .number: return .number(node.number)
        case .constant: return constant(node.index)
        case .array: return .array(RuleArray(values: try values(node.children[...])))
        case .object: return try newObject(node)
        case .template: return try template(node)
        case .index, .setIndex, .delete, .deleteIndex, .optional, .chain: return try memberValue(node)
        case .sequence:
            var last = RuleValue.undefined
            for child in node.children { last = try value(child) }
            return last
        case .method: return try callMethod(node)
        case .builtin: return try callBuiltin(node)
        case .call: return try call(node.index, try values(node.children[...]))
        case .emit:
            try emit(node.text, try values(node.children[...]))
            return .undefined
        default: return try operatorValue(node)
        }
    }

    /// The values of elements or arguments; `...` adds the elements of its value.
    func values(_ nodes: ArraySlice<RuleNode>) throws(RuleFault) -> [RuleValue] {
        var values: [RuleValue] = []
        values.reserveCapacity(nodes.count)
        for node in nodes {
            if node.operation == .spread {
                values += try list(of: try value(node.children[0]))
                try checkCount(values.count)
            } else {
                values.append(try value(node))
            }
        }
        return values
    }

    func checkCount(_ count: Int) throws(RuleFault) {
        guard count <= RuleLimits.elements else {
            throw .unsupported("an array of a program has at most \(RuleLimits.elements) elements")
        }
    }

    private func newObject(_ node: RuleNode) throws(RuleFault) -> RuleValue {
        let object = RuleObject()
        for child in node.children {
            switch child.operation {
            case .property: object.set(child.text, try value(child.children[0]))
            case .computed:
                let key = try self.key(try value(child.children[0]))
                object.set(key, try value(child.children[1]))
            default: try copyMembers(of: try value(child.children[0]), to: object)
            }
        }
        return .object(object)
    }

    /// Copies what `...value` in an object copies.
    func copyMembers(of value: RuleValue, to object: RuleObject, without: Set<String> = []) throws(RuleFault) {
        switch value {
        case .object(let source):
            try take(source.count)
            for key in source.keys where !without.contains(key) { object.set(key, source.member(key) ?? .undefined) }
        case .array, .string, .units:
            let elements = value.isText ? unitTexts(of: value) : try list(of: value)
            try take(elements.count)
            for (place, element) in elements.enumerated() where !without.contains(String(place)) {
                object.set(String(place), element)
            }
        default: break
        }
    }

    private func template(_ node: RuleNode) throws(RuleFault) -> RuleValue {
        var result = RuleValue.string("")
        for child in node.children {
            result = try joined(result, child.operation == .text ? .string(child.text) : try text(try value(child)))
        }
        return result
    }

    // MARK: Members

    private func getMember(_ node: RuleNode) throws(RuleFault) -> RuleValue {
        let owner = try value(node.children[0])
        if isChainOver { return .undefined }
        // The usual case first.
        if case .object(let object) = owner, let member = object.member(node.text) { return member }
        return try getMember(node.text, of: owner)
    }

    private func setMember(_ node: RuleNode) throws(RuleFault) -> RuleValue {
        let owner = try value(node.children[0])
        let assigned = try value(node.children[1])
        try setMember(node.text, of: owner, to: assigned)
        return assigned
    }

    private func memberValue(_ node: RuleNode) throws(RuleFault) -> RuleValue {
        let owner = try value(node.children[0])
        switch node.operation {
        case .chain:
            isChainOver = false
            return owner
        case .optional:
            if owner.isNullish { isChainOver = true }
            return isChainOver ? .undefined : owner
        case .index:
            if isChainOver { return .undefined }
            let given = try value(node.children[1])
            guard !owner.isNullish else { throw .type("\(owner.typeName) has no members") }
            return try getElement(given, of: owner)
        case .setIndex:
            let given = try value(node.children[1])
            let assigned = try value(node.children[2])
            guard !owner.isNullish else { throw .type("\(owner.typeName) has no members") }
            try setMember(try key(given), of: owner, to: assigned)
            return assigned
        case .delete:
            if isChainOver { return .bool(true) }
            return .bool(try remove(node.text, of: owner))
        default:
            if isChainOver { return .bool(true) }
            let given = try value(node.children[1])
            return .bool(try remove(try key(given), of: owner))
        }
    }

    /// The name of a member.
    func key(_ value: RuleValue) throws(RuleFault) -> String {
        switch value {
        case .string(let text): text
        default: try displayText(try text(value))
        }
    }

    private func getElement(_ given: RuleValue, of owner: RuleValue) throws(RuleFault) -> RuleValue {
        if case .array(let array) = owner, case .number(let number) = given, let place = Int(exactly: number),
            place >= 0
        {
            return place < array.count ? array.values[place] : .undefined
        }
        return try getMember(try key(given), of: owner)
    }

    func getMember(_ key: String, of owner: RuleValue) throws(RuleFault) -> RuleValue {
        switch owner {
        case .object(let object):
            if let member = object.member(key) { return member }
            return try inherited(key, "Object", InheritedNames.object)
        case .array(let array):
            if key == "length" { return .number(Double(array.count)) }
            if let place = RuleText.place(key) {
                return place < array.count ? array.values[place] : .undefined
            }
            return try inherited(key, "Array", InheritedNames.array)
        case .string, .units:
            if key == "length" { return .number(Double(length(of: owner))) }
            if let place = RuleText.place(key) {
                let units = owner.utf16
                try take(units.count / 16)
                return place < units.count ? RuleValue(units: [units[place]]) : .undefined
            }
            return try inherited(key, "String", InheritedNames.string)
        case .number: return try inherited(key, "Number", InheritedNames.number)
        case .bool: return try inherited(key, "Boolean", InheritedNames.object)
        case .undefined, .null: throw .type("\(owner.isNull ? "null" : "undefined") has no member \(key)")
        case .function:
            guard !InheritedNames.function.contains(key) else {
                throw .unsupported("it reads \(key) of a built-in function")
            }
            return .undefined
        }
    }

    private func inherited(_ key: String, _ type: String, _ names: Set<String>) throws(RuleFault) -> RuleValue {
        guard names.contains(key) else { return .undefined }
        guard key != "__proto__" else { throw .unsupported("it reads __proto__") }
        return .function(type + "." + key)
    }

    func setMember(_ key: String, of owner: RuleValue, to value: RuleValue) throws(RuleFault) {
        switch owner {
        case .object(let object):
            guard !object.isConstant else { throw .unsupported("it changes a constant of the script") }
            guard key != "__proto__" || object.has(key) else { throw .unsupported("it sets __proto__") }
            object.set(key, value)
        case .array(let array):
            guard !array.isConstant else { throw .unsupported("it changes a constant of the script") }
            guard let place = RuleText.place(key), place <= array.count else {
                throw .unsupported("it sets \(key) of an array")
            }
            array.change { if place < $0.count { $0[place] = value } else { $0.append(value) } }
            try checkCount(array.count)
        case .undefined, .null: throw .type("\(owner.isNull ? "null" : "undefined") has no members")
        case .function: throw .unsupported("it changes a built-in function")
        default:
            if isStrict { throw .type("the member \(key) of a \(owner.typeName) cannot be set") }
        }
    }

    private func remove(_ key: String, of owner: RuleValue) throws(RuleFault) -> Bool {
        switch owner {
        case .object(let object):
            guard !object.isConstant || !object.has(key) else {
                throw .unsupported("it changes a constant of the script")
            }
            object.remove(key)
            return true
        case .array(let array):
            guard key != "length" else { throw .type("the length of an array cannot be removed") }
            guard let place = RuleText.place(key), place < array.count else { return true }
            throw .unsupported("it leaves a gap in an array")
        case .undefined, .null: throw .type("\(owner.isNull ? "null" : "undefined") has no members")
        case .function: throw .unsupported("it changes a built-in function")
        default:
            let isOwn = key == "length" || RuleText.place(key).map { $0 < length(of: owner) } ?? false
            guard owner.isText, isOwn else { return true }
            guard isStrict else { return false }
            throw .type("the member \(key) of a text cannot be removed")
        }
    }

    // MARK: Elements and keys

    /// The elements that `[...value]` has.
    func list(of value: RuleValue) throws(RuleFault) -> [RuleValue] {
        switch value {
        case .array(let array):
            try take(array.count)
            return array.values
        case .string(let text):
            try take(text.utf8.count)
            return text.unicodeScalars.map { .string(String($0)) }
        case .units(let units):
            try take(units.count)
            return Self.characters(of: units)
        default: throw .type("a value of the type \(value.typeName) cannot be gone through")
        }
    }

    /// Pairs of surrogates together, halves alone.
    private static func characters(of units: [UInt16]) -> [RuleValue] {
        var values: [RuleValue] = []
        var place = 0
        while place < units.count {
            let isPair =
                place + 1 < units.count && UTF16.isLeadSurrogate(units[place])
                && UTF16.isTrailSurrogate(units[place + 1])
            let end = place + (isPair ? 2 : 1)
            values.append(RuleValue(units: Array(units[place..<end])))
            place = end
        }
        return values
    }

    /// One text for each UTF-16 unit.
    func unitTexts(of value: RuleValue) -> [RuleValue] { value.utf16.map { RuleValue(units: [$0]) } }

    fileprivate func forInKeys(_ count: Int) -> [String] { (0..<count).map(String.init) }

    func forInKeys(of value: RuleValue) throws(RuleFault) -> [String] {
        switch value {
        case .object(let object):
            try take(object.count)
            return object.keys
        case .array(let array):
            try take(array.count)
            return forInKeys(array.count)
        case .string, .units:
            try take(length(of: value))
            return forInKeys(length(of: value))
        default: return []
        }
    }

    func length(of text: RuleValue) -> Int {
        switch text {
        case .string(let text): text.utf16.count
        case .units(let units): units.count
        default: 0
        }
    }
}

extension RuleValue {
    var isNull: Bool {
        if case .null = self { return true }
        return false
    }
}
