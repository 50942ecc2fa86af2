import TributaryRules

extension FunctionLowering {
    func expression(_ syntax: Syntax) throws(Refusal) -> RuleNode {
        switch syntax.kind {
        case .name: return try name(syntax)
        case .string: return RuleNode(.text, text: try LiteralText.string(syntax.text, at: syntax.position))
        case .number: return RuleNode(.number, number: try LiteralText.number(syntax.text, at: syntax.position))
        case .template:
            return RuleNode(
                .template,
                try syntax.parts.enumerated().map { part throws(Refusal) in
                    // Texts and values stand in turn.
                    part.offset % 2 == 0 ? RuleNode(.text, text: part.element.text) : try expression(part.element)
                })
        case .array: return RuleNode(.array, try elements(syntax.parts[...]))
        case .object: return RuleNode(.object, try syntax.parts.map { part throws(Refusal) in try member(part) })
        case .member: return try memberValue(syntax)
        case .index:
            let owner = try expression(syntax.parts[0])
            return RuleNode(.index, [owner, try expression(syntax.parts[1])])
        case .optional: return RuleNode(.optional, [try expression(syntax.parts[0])])
        case .chain: return RuleNode(.chain, [try expression(syntax.parts[0])])
        case .call: return try call(syntax)
        case .unary: return try unary(syntax)
        case .update, .updateAfter: return try update(syntax)
        case .binary: return try binary(syntax)
        case .assign: return try assignment(syntax)
        case .choose:
            return RuleNode(.choose, try syntax.parts.map { part throws(Refusal) in try expression(part) })
        case .refused: throw Refusal(position: syntax.position, reason: syntax.text)
        case .arrow, .function: throw Refusal(position: syntax.position, reason: "a function as a value")
        case .this: throw Refusal(position: syntax.position, reason: "the plugin itself as a value")
        case .new: throw Refusal(position: syntax.position, reason: Self.newReason(syntax))
        default: throw Refusal(position: syntax.position, reason: "something that a program does not have")
        }
    }

    private static func newReason(_ syntax: Syntax) -> String {
        let name = syntax.parts[0].text
        return UnknownNames.reasons[name] ?? "new \(name) while an event is processed"
    }

    /// Elements and arguments, with `...`.
    func elements(_ parts: ArraySlice<Syntax>) throws(Refusal) -> [RuleNode] {
        try parts.map { part throws(Refusal) in
            part.kind == .spread
                ? RuleNode(.spread, [try expression(part.parts[0])]) : try expression(part)
        }
    }

    private func member(_ part: Syntax) throws(Refusal) -> RuleNode {
        switch part.kind {
        case .property:
            guard part.text != "__proto__" else {
                throw Refusal(position: part.position, reason: "it sets __proto__")
            }
            return RuleNode(.property, text: part.text, [try expression(part.parts[0])])
        case .computed:
            let key = try expression(part.parts[0])
            return RuleNode(.computed, [key, try expression(part.parts[1])])
        case .spread: return RuleNode(.spread, [try expression(part.parts[0])])
        default: throw Refusal(position: part.position, reason: part.text)
        }
    }

    // MARK: Names

    private func name(_ syntax: Syntax) throws(Refusal) -> RuleNode {
        switch binding(syntax.text) {
        case .slot(let slot, _): return RuleNode(.slot, index: slot)
        case .pending:
            throw Refusal(position: syntax.position, reason: "\(syntax.text) is used before it is declared")
        case .function: throw Refusal(position: syntax.position, reason: "a function as a value")
        case nil: break
        }
        guard !hidden.contains(syntax.text) else {
            throw Refusal(
                position: syntax.position,
                reason:
                    "a function inside of a function that uses \(syntax.text) of the outer one; pass it as a parameter")
        }
        switch builder.globals[syntax.text] {
        case .value(let node): return node
        case .constant(let index): return RuleNode(.constant, index: index)
        case .set: throw Refusal(position: syntax.position, reason: "a Set for something else than has")
        case .function: throw Refusal(position: syntax.position, reason: "a function as a value")
        case .type, .instance: throw Refusal(position: syntax.position, reason: "a class or a plugin as a value")
        case nil: break
        }
        switch syntax.text {
        case "undefined": return RuleNode(.undefined)
        case "null": return RuleNode(.null)
        case "true": return RuleNode(.true)
        case "false": return RuleNode(.false)
        case "NaN": return RuleNode(.divide, [RuleNode(.number), RuleNode(.number)])
        case "Infinity": return RuleNode(.divide, [RuleNode(.number, number: 1), RuleNode(.number)])
        default:
            throw Refusal(
                position: syntax.position,
                reason: UnknownNames.reasons[syntax.text] ?? "a program does not know the name \(syntax.text)")
        }
    }

    /// Whether the name is one of the language or of the runtime, and the script declares none of that name.
    func isUndeclared(_ syntax: Syntax) -> Bool {
        syntax.kind == .name && binding(syntax.text) == nil && !hidden.contains(syntax.text)
            && builder.globals[syntax.text] == nil
    }

    func checkMember(_ name: String, at position: Int) throws(Refusal) {
        if name.hasPrefix("#") {
            throw Refusal(position: position, reason: "a private member, which keeps a value between events")
        }
        guard name != "__proto__", name != "constructor", name != "prototype" else {
            throw Refusal(position: position, reason: "the member \(name) of the language")
        }
    }

    private func memberValue(_ syntax: Syntax) throws(Refusal) -> RuleNode {
        let owner = syntax.parts[0]
        if owner.kind == .this {
            guard let field = type?.fields[syntax.text] else {
                throw Refusal(
                    position: syntax.position,
                    reason: type?.method(syntax.text) == nil
                        ? "this.\(syntax.text), which keeps a value between events" : "a function as a value")
            }
            return try constant(field, at: syntax.position)
        }
        if owner.kind == .name, binding(owner.text) == nil, !hidden.contains(owner.text) {
            if case .type(let type) = builder.globals[owner.text], let field = type.staticFields[syntax.text] {
                return try constant(field, at: syntax.position)
            }
            if isUndeclared(owner), let number = UnknownNames.numbers[owner.text + "." + syntax.text] {
                return RuleNode(.number, number: number)
            }
            if isUndeclared(owner), owner.text == "analytics" {
                throw Refusal(position: syntax.position, reason: "it reads \(syntax.text) of the user")
            }
        }
        try checkMember(syntax.text, at: syntax.position)
        return RuleNode(.get, text: syntax.text, [try expression(owner)])
    }

    private func constant(_ global: ProgramBuilder.Global, at position: Int) throws(Refusal) -> RuleNode {
        switch global {
        case .value(let node): return node
        case .constant(let index): return RuleNode(.constant, index: index)
        default: throw Refusal(position: position, reason: "a Set for something else than has")
        }
    }

    // MARK: Operators

    private static let operators: [String: RuleOperation] = [
        "+": .add, "-": .subtract, "*": .multiply, "/": .divide, "%": .remainder, "**": .power, "<": .less,
        "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "==": .equal, "!=": .notEqual, "===": .same,
        "!==": .notSame, "in": .in, "&": .bitAnd, "|": .bitOr, "^": .bitXor, "<<": .shiftLeft, ">>": .shiftRight,
        ">>>": .shiftRightUnsigned, "&&": .and, "||": .or, "??": .coalesce,
    ]

    private func binary(_ syntax: Syntax) throws(Refusal) -> RuleNode {
        guard let operation = Self.operators[syntax.text] else {
            throw Refusal(position: syntax.position, reason: "the operator \(syntax.text)")
        }
        let left = try expression(syntax.parts[0])
        return RuleNode(operation, [left, try expression(syntax.parts[1])])
    }

    private func unary(_ syntax: Syntax) throws(Refusal) -> RuleNode {
        let operand = syntax.parts[0]
        switch syntax.text {
        case "!": return RuleNode(.not, [try expression(operand)])
        case "-": return RuleNode(.negate, [try expression(operand)])
        case "+": return RuleNode(.plus, [try expression(operand)])
        case "~": return RuleNode(.bitNot, [try expression(operand)])
        case "typeof": return RuleNode(.type, [try expression(operand)])
        case "void": return RuleNode(.void, [try expression(operand)])
        default: return try deletion(operand)
        }
    }

    private func deletion(_ operand: Syntax) throws(Refusal) -> RuleNode {
        switch operand.kind {
        case .chain: return RuleNode(.chain, [try deletion(operand.parts[0])])
        case .member where operand.parts[0].kind != .this:
            try checkMember(operand.text, at: operand.position)
            return RuleNode(.delete, text: operand.text, [try expression(operand.parts[0])])
        case .index:
            let owner = try expression(operand.parts[0])
            return RuleNode(.deleteIndex, [owner, try expression(operand.parts[1])])
        default: throw Refusal(position: operand.position, reason: "delete of something else than a member of an event")
        }
    }

    // MARK: Assignments

    private func assignment(_ syntax: Syntax) throws(Refusal) -> RuleNode {
        if syntax.parts[1].kind == .arrow || syntax.parts[1].kind == .function {
            throw Refusal(position: syntax.parts[1].position, reason: "a function as a value")
        }
        return try change(syntax.parts[0], at: syntax.position) { current throws(Refusal) in
            let value = try self.expression(syntax.parts[1])
            guard !syntax.text.isEmpty, let operation = Self.operators[syntax.text] else { return (nil, value) }
            return (operation, operation.isLogical ? value : RuleNode(operation, [current(), value]))
        }
    }

    /// `x++`, `--x`
    private func update(_ syntax: Syntax) throws(Refusal) -> RuleNode {
        let one = RuleNode(.number, number: 1)
        let operation: RuleOperation = syntax.text == "++" ? .add : .subtract
        let old = newSlot()
        let change = try change(syntax.parts[0], at: syntax.position) { current throws(Refusal) in
            let number = RuleNode(.assign, index: old, [RuleNode(.plus, [current()])])
            return (operation, RuleNode(operation, [number, one]))
        }
        return syntax.kind == .update ? change : RuleNode(.sequence, [change, RuleNode(.slot, index: old)])
    }

    /// A node that gives a target another value.
    /// - Parameter body: gets the node of the present value. It returns the operation, nil for a plain assignment, and the
    ///   node of the new value.
    private func change(
        _ target: Syntax, at position: Int,
        _ body: (_ current: () -> RuleNode) throws(Refusal) -> (RuleOperation?, RuleNode)
    ) throws(Refusal) -> RuleNode {
        switch target.kind {
        case .name:
            let slot = try slot(of: target)
            let (operation, value) = try body { RuleNode(.slot, index: slot) }
            return Self.change(operation, RuleNode(.slot, index: slot), RuleNode(.assign, index: slot, [value]))
        case .member:
            guard target.parts[0].kind != .this else {
                throw Refusal(position: position, reason: "this.\(target.text), which keeps a value between events")
            }
            try checkMember(target.text, at: target.position)
            let owner = newSlot()
            let read = RuleNode(.slot, index: owner)
            let current = RuleNode(.get, text: target.text, [read])
            let ownerValue = try expression(target.parts[0])
            let (operation, value) = try body { current }
            guard operation != nil else { return RuleNode(.set, text: target.text, [ownerValue, value]) }
            let write = RuleNode(.set, text: target.text, [read, value])
            return RuleNode(
                .sequence, [RuleNode(.assign, index: owner, [ownerValue]), Self.change(operation, current, write)])
        case .index:
            let (owner, key) = (newSlot(), newSlot())
            let (ownerRead, keyRead) = (RuleNode(.slot, index: owner), RuleNode(.slot, index: key))
            let current = RuleNode(.index, [ownerRead, keyRead])
            let ownerValue = try expression(target.parts[0])
            let keyValue = try expression(target.parts[1])
            let (operation, value) = try body { current }
            guard operation != nil else { return RuleNode(.setIndex, [ownerValue, keyValue, value]) }
            let write = RuleNode(.setIndex, [ownerRead, keyRead, value])
            return RuleNode(
                .sequence,
                [
                    RuleNode(.assign, index: owner, [ownerValue]), RuleNode(.assign, index: key, [keyValue]),
                    Self.change(operation, current, write),
                ])
        default: throw Refusal(position: position, reason: "this cannot be assigned to")
        }
    }

    private static func change(_ operation: RuleOperation?, _ current: RuleNode, _ write: RuleNode) -> RuleNode {
        guard let operation, operation.isLogical else { return write }
        return RuleNode(operation, [current, write])
    }

    private func slot(of target: Syntax) throws(Refusal) -> Int {
        switch binding(target.text) {
        case .slot(let slot, false): return slot
        case .slot: throw Refusal(position: target.position, reason: "\(target.text) is a constant")
        case .pending: throw Refusal(position: target.position, reason: "\(target.text) is used before it is declared")
        case .function: throw Refusal(position: target.position, reason: "\(target.text) is a function")
        case nil:
            throw Refusal(
                position: target.position, reason: "\(target.text) of the script, which keeps a value between events")
        }
    }
}

extension RuleOperation {
    fileprivate var isLogical: Bool { self == .and || self == .or || self == .coalesce }
}

/// Names of the language and of the runtime that programs do not have.
enum UnknownNames {
    static let reasons: [String: String] = [
        "Date": "a date, which is another one each time; event.timestamp is a text",
        "Intl": "dates and numbers in the form of a country",
        "crypto": "something random, which is another one each time",
        "storage": "it stores values between events",
        "tables": "it reads a table",
        "console": "it writes to the console",
        "signals": "it reads signals",
        "RegExp": RefusalReason.expressions,
        "Promise": RefusalReason.async,
        "Symbol": "a symbol",
        "Proxy": "a proxy",
        "Map": "a Map; an object has keys and values, too",
        "Set": "a Set that is made while an event is processed; make it once, outside of the class",
        "URLSearchParams": "it takes a query apart",
        "structuredClone": "a copy of everything; { ...object } copies an object",
        "globalThis": "the names of the script as values",
        "arguments": "all arguments of a function as a value",
        "Analytics": "another source",
    ]

    static let numbers: [String: Double] = [
        "Math.PI": .pi, "Math.E": 2.718281828459045, "Number.MAX_SAFE_INTEGER": 9_007_199_254_740_991,
        "Number.MIN_SAFE_INTEGER": -9_007_199_254_740_991, "Number.EPSILON": 0x1p-52,
        "Number.MAX_VALUE": .greatestFiniteMagnitude,
    ]
}
