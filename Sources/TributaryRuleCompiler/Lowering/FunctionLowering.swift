import TributaryRules

/// Makes a function of a program: names become slots.
final class FunctionLowering {
    enum Binding {
        case slot(Int, isConstant: Bool)
        /// Its declaration comes later in the text.
        case pending
        case function(Syntax)
    }

    let builder: ProgramBuilder
    let type: PluginClass?
    /// Names of the function around this one, which it cannot use.
    let hidden: Set<String>
    private var scopes: [[String: Binding]] = []
    private(set) var slots = 0

    init(_ builder: ProgramBuilder, type: PluginClass?, hidden: Set<String>) {
        self.builder = builder
        self.type = type
        self.hidden = hidden
    }

    /// - Parameter syntax: parameters, and the body at the end.
    func function(_ syntax: Syntax, isStrict: Bool) throws(Refusal) -> RuleProgram.Function {
        let parameters = syntax.parts.dropLast()
        guard let body = syntax.parts.last, body.kind == .block else {
            throw Refusal(position: syntax.position, reason: syntax.parts.first?.text ?? "it has no body")
        }
        scopes.append([:])
        slots = parameters.count
        var statements = try self.parameters(Array(parameters), from: 0)
        statements += try self.body(body)
        scopes.removeLast()
        let isOwnStrict =
            body.parts.first.map { $0.kind == .run && $0.parts[0].text.dropFirst().dropLast() == "use strict" } ?? false
        guard slots <= RuleLimits.slots else {
            throw Refusal(position: syntax.position, reason: "it has more than \(RuleLimits.slots) names")
        }
        return RuleProgram.Function(
            slots: slots, parameters: parameters.count, isStrict: isStrict || isOwnStrict,
            body: RuleNode(.block, statements))
    }

    /// Gives the parameters their names. Their values are in the slots from a place on.
    func parameters(_ parameters: [Syntax], from first: Int) throws(Refusal) -> [RuleNode] {
        var statements: [RuleNode] = []
        for (place, parameter) in parameters.enumerated() {
            guard parameter.kind == .pattern else {
                throw Refusal(position: parameter.position, reason: "a function with any number of parameters")
            }
            if parameter.parts[0].kind == .name, parameter.parts.count == 1 {
                try declare(parameter.parts[0].text, .slot(first + place, isConstant: false), at: parameter.position)
                continue
            }
            try announce(parameter.parts[0])
            let value = try self.value(
                of: RuleNode(.slot, index: first + place), or: parameter.parts.count > 1 ? parameter.parts[1] : nil)
            statements += try bind(parameter.parts[0], to: value, isConstant: false)
        }
        return statements
    }

    /// The statements of a function's body, with its `var` names.
    func body(_ block: Syntax) throws(Refusal) -> [RuleNode] {
        var statements: [RuleNode] = []
        var names: [String] = []
        Self.hoisted(block, &names)
        for name in names where scopes.last?[name] == nil {
            let slot = newSlot()
            scopes[scopes.count - 1][name] = .slot(slot, isConstant: false)
            // A lambda runs often, and each time its names are new.
            statements.append(
                RuleNode(.run, index: block.position, [RuleNode(.assign, index: slot, [RuleNode(.undefined)])]))
        }
        return statements + (try self.statements(block.parts))
    }

    /// The names that `var` declares anywhere in a function.
    private static func hoisted(_ syntax: Syntax, _ names: inout [String]) {
        switch syntax.kind {
        case .declaration where syntax.text == "var":
            for declarator in syntax.parts { collect(declarator.parts[0], &names) }
        case .forOf where syntax.text == "var", .forIn where syntax.text == "var":
            collect(syntax.parts[0], &names)
            hoisted(syntax.parts[2], &names)
        case .block, .if, .for, .forOf, .forIn, .switch, .case, .otherwise:
            for part in syntax.parts { hoisted(part, &names) }
        default: break
        }
    }

    /// The names of a target.
    private static func collect(_ target: Syntax, _ names: inout [String]) {
        switch target.kind {
        case .name: names.append(target.text)
        case .pattern, .spread: collect(target.parts[0], &names)
        case .property: collect(target.parts[0], &names)
        case .computed: collect(target.parts[1], &names)
        case .objectPattern, .arrayPattern: for part in target.parts { collect(part, &names) }
        default: break
        }
    }

    // MARK: Names

    func newSlot(_ count: Int = 1) -> Int {
        slots += count
        return slots - count
    }

    /// Works in a scope of its own.
    func inScope<Value>(_ body: () throws(Refusal) -> Value) throws(Refusal) -> Value {
        scopes.append([:])
        defer { scopes.removeLast() }
        return try body()
    }

    /// Notes the names that the statements of a block declare.
    func announce(statements: [Syntax]) throws(Refusal) {
        for statement in statements {
            switch statement.kind {
            case .declaration where statement.text != "var":
                for declarator in statement.parts { try announce(declarator.parts[0]) }
            case .function: try declare(statement.text, .function(statement), at: statement.position)
            case .class: throw Refusal(position: statement.position, reason: "a class inside of a function")
            default: break
            }
        }
    }

    func announce(_ target: Syntax) throws(Refusal) {
        var names: [String] = []
        Self.collect(target, &names)
        for name in names { try declare(name, .pending, at: target.position) }
    }

    private func declare(_ name: String, _ binding: Binding, at position: Int) throws(Refusal) {
        guard scopes.last?[name] == nil else {
            throw Refusal(position: position, reason: "the name \(name) is there already")
        }
        scopes[scopes.count - 1][name] = binding
    }

    /// Gives a name that was announced a slot.
    private func settle(_ name: String, isConstant: Bool) -> Int {
        for place in scopes.indices.reversed() {
            switch scopes[place][name] {
            case .pending:
                let slot = newSlot()
                scopes[place][name] = .slot(slot, isConstant: isConstant)
                return slot
            case .slot(let slot, _): return slot
            default: continue
            }
        }
        return newSlot()
    }

    /// Remembers a function that is declared as `const name = () => …` inside of this one.
    func settleFunction(_ name: String, _ function: Syntax) { scopes[scopes.count - 1][name] = .function(function) }

    func binding(_ name: String) -> Binding? {
        for scope in scopes.reversed() { if let binding = scope[name] { return binding } }
        return nil
    }

    /// The names that a function inside of this one cannot use.
    var visibleNames: Set<String> {
        var names = hidden
        for scope in scopes {
            for (name, binding) in scope {
                if case .function = binding { continue }
                names.insert(name)
            }
        }
        return names
    }

    // MARK: Targets

    /// The value, or another one in place of undefined.
    private func value(of value: RuleNode, or standard: Syntax?) throws(Refusal) -> RuleNode {
        guard let standard else { return value }
        let slot = newSlot()
        let read = RuleNode(.slot, index: slot)
        return RuleNode(
            .sequence,
            [
                RuleNode(.assign, index: slot, [value]),
                RuleNode(.choose, [RuleNode(.same, [read, RuleNode(.undefined)]), try expression(standard), read]),
            ])
    }

    /// Statements that give a target its value.
    func bind(_ target: Syntax, to value: RuleNode, isConstant: Bool) throws(Refusal) -> [RuleNode] {
        let run = { (node: RuleNode) in RuleNode(.run, index: target.position, [node]) }
        switch target.kind {
        case .name:
            return [run(RuleNode(.assign, index: settle(target.text, isConstant: isConstant), [value]))]
        case .objectPattern:
            let slot = newSlot()
            let whole = RuleNode(.slot, index: slot)
            var statements = [
                run(RuleNode(.assign, index: slot, [RuleNode(.builtin, text: RuleBuiltin.require.rawValue, [value])]))
            ]
            var keys: [RuleNode] = []
            for part in target.parts {
                statements += try bind(member: part, of: whole, &keys, isConstant: isConstant)
            }
            return statements
        case .arrayPattern:
            let slot = newSlot()
            let list = RuleNode(.builtin, text: RuleBuiltin.list.rawValue, [value])
            var statements = [run(RuleNode(.assign, index: slot, [list]))]
            for (place, part) in target.parts.enumerated() where part.kind != .absent {
                let whole = RuleNode(.slot, index: slot)
                let number = RuleNode(.number, number: Double(place))
                let isRest = part.kind == .spread
                let element =
                    isRest
                    ? RuleNode(.method, text: RuleMethod.slice.rawValue, [whole, number])
                    : try self.value(
                        of: RuleNode(.index, [whole, number]), or: part.parts.count > 1 ? part.parts[1] : nil)
                statements += try bind(part.parts[0], to: element, isConstant: isConstant)
            }
            return statements
        default: throw Refusal(position: target.position, reason: "a name was expected")
        }
    }

    private func bind(
        member part: Syntax, of whole: RuleNode, _ keys: inout [RuleNode], isConstant: Bool
    ) throws(Refusal) -> [RuleNode] {
        switch part.kind {
        case .property:
            keys.append(RuleNode(.text, text: part.text))
            let pattern = part.parts[0]
            try checkMember(part.text, at: part.position)
            let value = try value(
                of: RuleNode(.get, text: part.text, [whole]), or: pattern.parts.count > 1 ? pattern.parts[1] : nil)
            return try bind(pattern.parts[0], to: value, isConstant: isConstant)
        case .spread:
            let rest = RuleNode(.builtin, text: RuleBuiltin.without.rawValue, [whole] + keys)
            return try bind(part.parts[0], to: rest, isConstant: isConstant)
        default: throw Refusal(position: part.position, reason: "a computed name in a pattern")
        }
    }
}
