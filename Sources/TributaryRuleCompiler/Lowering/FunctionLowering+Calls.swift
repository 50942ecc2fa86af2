import TributaryRules

extension FunctionLowering {
    func call(_ syntax: Syntax) throws(Refusal) -> RuleNode {
        let callee = syntax.parts[0]
        let arguments = syntax.parts.dropFirst()
        switch callee.kind {
        case .name: return try call(named: callee, arguments)
        case .member: return try call(member: callee, arguments)
        case .refused: throw Refusal(position: callee.position, reason: callee.text)
        default:
            throw Refusal(position: syntax.position, reason: "a call of a function that is known only when it runs")
        }
    }

    private func function(named callee: Syntax) throws(Refusal) -> Syntax? {
        switch binding(callee.text) {
        case .function(let function): return function
        case .slot, .pending:
            throw Refusal(position: callee.position, reason: "a call of a function that is known only when it runs")
        case nil: break
        }
        if case .function(let function) = builder.globals[callee.text] { return function }
        return nil
    }

    /// Whether the function stands inside of a function of this plugin.
    private func number(of function: Syntax, named name: String) throws(Refusal) -> Int {
        if case .function = binding(name) {
            return try builder.number(of: function, in: type, hidden: visibleNames)
        }
        return try builder.number(of: function, in: nil)
    }

    private func call(named callee: Syntax, _ arguments: ArraySlice<Syntax>) throws(Refusal) -> RuleNode {
        if let function = try function(named: callee) {
            return RuleNode(.call, index: try number(of: function, named: callee.text), try elements(arguments))
        }
        guard isUndeclared(callee), let builtin = RuleBuiltin(rawValue: callee.text), !callee.text.hasPrefix("(") else {
            throw Refusal(
                position: callee.position,
                reason: UnknownNames.reasons[callee.text] ?? "a program does not know the function \(callee.text)")
        }
        return RuleNode(.builtin, text: builtin.rawValue, try elements(arguments))
    }

    private func call(member callee: Syntax, _ arguments: ArraySlice<Syntax>) throws(Refusal) -> RuleNode {
        let owner = callee.parts[0]
        switch owner.kind {
        case .this: return try callOwn(callee, arguments)
        case .super:
            guard RuleProgram.methods.contains(callee.text), arguments.count == 1, let event = arguments.first else {
                throw Refusal(position: callee.position, reason: "super.\(callee.text)")
            }
            let value = try expression(event)
            return callee.text == "process" ? try dispatch(value, at: callee.position) : value
        case .name where binding(owner.text) == nil && !hidden.contains(owner.text):
            if let node = try call(global: owner.text, callee, arguments) { return node }
        default: break
        }
        return try callMethod(callee, arguments)
    }

    /// A call of something that the script or the runtime has under a name; nil for a method of a value.
    private func call(
        global name: String, _ callee: Syntax, _ arguments: ArraySlice<Syntax>
    ) throws(Refusal) -> RuleNode? {
        switch builder.globals[name] {
        case .set(let index): return try setCall(index, callee, arguments)
        case .type(let type):
            guard let method = type.staticMethod(callee.text) else { break }
            return RuleNode(.call, index: try builder.number(of: method, in: type), try elements(arguments))
        case .none: break
        default: return nil
        }
        guard builder.globals[name] == nil else {
            throw Refusal(position: callee.position, reason: "a method of a class that is not there")
        }
        if name == "analytics" { return try emission(callee, arguments) }
        if let builtin = RuleBuiltin(rawValue: name + "." + callee.text) {
            return RuleNode(.builtin, text: builtin.rawValue, try elements(arguments))
        }
        guard
            ["Math", "Object", "Array", "Number", "String", "JSON"].contains(name) || UnknownNames.reasons[name] != nil
        else { return nil }
        let reason =
            name == "Math" && callee.text == "random" ? UnknownNames.reasons["crypto"] : UnknownNames.reasons[name]
        throw Refusal(
            position: callee.parts[0].position, reason: reason ?? "a program does not know \(name).\(callee.text)")
    }

    private func setCall(
        _ index: Int, _ callee: Syntax, _ arguments: ArraySlice<Syntax>
    ) throws(Refusal) -> RuleNode {
        guard callee.text == "has", let value = arguments.first, arguments.count == 1 else {
            throw Refusal(position: callee.position, reason: "a Set for something else than has")
        }
        return RuleNode(
            .builtin, text: RuleBuiltin.setHas.rawValue, [RuleNode(.constant, index: index), try expression(value)])
    }

    private func emission(_ callee: Syntax, _ arguments: ArraySlice<Syntax>) throws(Refusal) -> RuleNode {
        guard RuleProgram.emissions.contains(callee.text) else {
            throw Refusal(position: callee.position, reason: "analytics.\(callee.text) while an event is processed")
        }
        return RuleNode(.emit, text: callee.text, try elements(arguments))
    }

    /// `this.clean(value)`
    private func callOwn(_ callee: Syntax, _ arguments: ArraySlice<Syntax>) throws(Refusal) -> RuleNode {
        if let type, let method = type.method(callee.text) {
            return RuleNode(.call, index: try builder.number(of: method, in: type), try elements(arguments))
        }
        guard RuleProgram.methods.contains(callee.text), let event = arguments.first, arguments.count == 1 else {
            throw Refusal(position: callee.position, reason: "this.\(callee.text), which the class does not have")
        }
        let value = try expression(event)
        return callee.text == "process" ? try dispatch(value, at: callee.position) : value
    }

    /// Calls the method for the event's type, after all of them have their numbers.
    private func dispatch(_ event: RuleNode, at position: Int) throws(Refusal) -> RuleNode {
        guard let type else { throw Refusal(position: position, reason: "super outside of a class") }
        let slot = newSlot()
        let read = RuleNode(.slot, index: slot)
        var result = read
        for name in RuleProgram.methods where name != "process" {
            guard let method = type.method(name) else { continue }
            let call = RuleNode(.call, index: try builder.number(of: method, in: type), [read])
            let isType = RuleNode(.same, [RuleNode(.get, text: "type", [read]), RuleNode(.text, text: name)])
            result = RuleNode(.choose, [isType, call, result])
        }
        // The type is read in any case, because reading it of `null` is an error.
        return RuleNode(
            .sequence, [RuleNode(.assign, index: slot, [event]), RuleNode(.get, text: "type", [read]), result])
    }

    // MARK: Methods of values

    private func callMethod(_ callee: Syntax, _ arguments: ArraySlice<Syntax>) throws(Refusal) -> RuleNode {
        let owner = callee.parts[0]
        if callee.text == "call", owner.kind == .member, owner.text == "hasOwnProperty", arguments.count == 2 {
            return RuleNode(.builtin, text: RuleBuiltin.hasOwn.rawValue, try elements(arguments))
        }
        if callee.text == "has", owner.kind == .member, owner.parts[0].kind == .this || owner.parts[0].kind == .name,
            let index = constantSet(owner)
        {
            return try setCall(index, callee, arguments)
        }
        let value = try expression(owner)
        guard let method = RuleMethod(rawValue: callee.text) else {
            throw Refusal(
                position: callee.position,
                reason: UnknownMethods.reasons[callee.text] ?? "a program does not have the method \(callee.text)")
        }
        guard method.takesFunction else {
            if let function = arguments.first(where: { $0.kind == .arrow || $0.kind == .function }) {
                throw Refusal(
                    position: function.position,
                    reason: UnknownMethods.functionReasons[callee.text] ?? "a function for \(callee.text)")
            }
            return RuleNode(.method, text: method.rawValue, [value] + (try elements(arguments)))
        }
        guard let function = arguments.first else {
            throw Refusal(position: callee.position, reason: "\(callee.text) without a function")
        }
        guard arguments.count == 1 || method == .reduce && arguments.count == 2 else {
            throw Refusal(position: callee.position, reason: "\(callee.text) with more than a function")
        }
        let lambda = try lambda(function, parameters: method == .reduce ? 4 : 3)
        return RuleNode(.method, text: method.rawValue, [value, lambda] + (try elements(arguments.dropFirst())))
    }

    private func constantSet(_ owner: Syntax) -> Int? {
        let fields: [String: ProgramBuilder.Global]
        if owner.parts[0].kind == .this {
            fields = type?.fields ?? [:]
        } else if case .type(let type) = builder.globals[owner.parts[0].text] {
            fields = type.staticFields
        } else {
            return nil
        }
        if case .set(let index) = fields[owner.text] { return index }
        return nil
    }

    /// The function that a method calls for each element.
    private func lambda(_ syntax: Syntax, parameters: Int) throws(Refusal) -> RuleNode {
        let first = newSlot(RuleProgram.lambdaSlots)
        if syntax.kind == .name {
            return RuleNode(.lambda, index: first, [try named(syntax, first, parameters)])
        }
        guard syntax.kind == .arrow || syntax.kind == .function, let body = syntax.parts.last else {
            throw Refusal(position: syntax.position, reason: "a function that is known only when it runs")
        }
        let given = Array(syntax.parts.dropLast())
        guard given.count <= parameters else {
            throw Refusal(position: syntax.position, reason: "a function with more parameters than it gets")
        }
        let statements = try inScope { () throws(Refusal) in
            let bound = try self.parameters(given, from: first)
            return bound + (try self.body(body))
        }
        return RuleNode(.lambda, index: first, [RuleNode(.block, statements)])
    }

    /// A function of the script or of the language, by its name.
    private func named(_ syntax: Syntax, _ first: Int, _ parameters: Int) throws(Refusal) -> RuleNode {
        let value: RuleNode
        if let function = try function(named: syntax) {
            let count = min(parameters, function.parts.count - 1)
            value = RuleNode(
                .call, index: try number(of: function, named: syntax.text),
                (0..<count).map { RuleNode(.slot, index: first + $0) })
        } else if isUndeclared(syntax), let builtin = RuleBuiltin(rawValue: syntax.text), !syntax.text.hasPrefix("(") {
            let count = builtin == .parseInt ? 2 : 1
            value = RuleNode(.builtin, text: builtin.rawValue, (0..<count).map { RuleNode(.slot, index: first + $0) })
        } else {
            throw Refusal(position: syntax.position, reason: "a function that is known only when it runs")
        }
        return RuleNode(.block, [RuleNode(.return, index: syntax.position, [value])])
    }
}

/// Methods that programs do not have.
enum UnknownMethods {
    static let reasons: [String: String] = [
        "match": RefusalReason.expressions, "matchAll": RefusalReason.expressions, "test": RefusalReason.expressions,
        "exec": RefusalReason.expressions, "search": RefusalReason.expressions,
        "localeCompare": "an order that depends on the language",
        "toLocaleString": "a text that depends on the language",
        "toLocaleLowerCase": "a text that depends on the language; toLowerCase does not",
        "toLocaleUpperCase": "a text that depends on the language; toUpperCase does not",
        "normalize": "the normal forms of texts",
        "then": RefusalReason.async,
        "splice": "splice; filter and slice make another array",
    ]
    static let functionReasons: [String: String] = [
        "sort": "an order of the script's own",
        "replace": "a function that makes the replacing text",
        "replaceAll": "a function that makes the replacing text",
    ]
}
