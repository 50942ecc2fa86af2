import TributaryRules

extension FunctionLowering {
    func statements(_ statements: [Syntax]) throws(Refusal) -> [RuleNode] {
        try announce(statements: statements)
        var nodes: [RuleNode] = []
        for statement in statements { nodes += try lowered(statement) }
        return nodes
    }

    private func lowered(_ statement: Syntax) throws(Refusal) -> [RuleNode] {
        let position = statement.position
        switch statement.kind {
        case .empty, .function: return []
        case .run: return [RuleNode(.run, index: position, [try expression(statement.parts[0])])]
        case .declaration: return try declaration(statement)
        case .block: return [try block(statement)]
        case .if:
            let then = try branch(statement.parts[1])
            let other = statement.parts.count > 2 ? try branch(statement.parts[2]) : RuleNode(.empty)
            return [RuleNode(.if, index: position, [try expression(statement.parts[0]), then, other])]
        case .return:
            let value = try statement.parts.first.map { value throws(Refusal) in try expression(value) }
            return [RuleNode(.return, index: position, [value ?? RuleNode(.empty)])]
        case .throw: return [RuleNode(.throw, index: position, [try thrown(statement.parts[0])])]
        case .break: return [RuleNode(.break)]
        case .continue: return [RuleNode(.continue)]
        case .forOf, .forIn: return [try forEach(statement)]
        case .for: return [try forLoop(statement)]
        case .switch: return [try switchStatement(statement)]
        case .refused: throw Refusal(position: position, reason: statement.text)
        default: throw Refusal(position: position, reason: "a statement that a program does not have")
        }
    }

    /// A statement that may be no block.
    private func branch(_ statement: Syntax) throws(Refusal) -> RuleNode {
        if statement.kind == .block { return try block(statement) }
        return RuleNode(.block, try inScope { () throws(Refusal) in try statements([statement]) })
    }

    private func block(_ block: Syntax) throws(Refusal) -> RuleNode {
        RuleNode(.block, try inScope { () throws(Refusal) in try statements(block.parts) })
    }

    private func declaration(_ statement: Syntax) throws(Refusal) -> [RuleNode] {
        var nodes: [RuleNode] = []
        for declarator in statement.parts {
            let target = declarator.parts[0]
            guard declarator.parts.count > 1 else {
                guard target.kind == .name, statement.text != "const" else {
                    throw Refusal(position: declarator.position, reason: "it needs a value")
                }
                if statement.text == "let" {
                    nodes += try bind(target, to: RuleNode(.undefined), isConstant: false)
                }
                continue
            }
            let value = declarator.parts[1]
            if value.kind == .arrow || value.kind == .function {
                guard target.kind == .name, statement.text == "const" else {
                    throw Refusal(position: value.position, reason: "a function as a value")
                }
                settleFunction(target.text, value)
                continue
            }
            nodes += try bind(target, to: try expression(value), isConstant: statement.text == "const")
        }
        return nodes
    }

    /// The text of what is thrown; `new Error(text)` is its text.
    private func thrown(_ syntax: Syntax) throws(Refusal) -> RuleNode {
        guard syntax.kind == .new, syntax.parts[0].kind == .name, syntax.parts[0].text.hasSuffix("Error") else {
            return try expression(syntax)
        }
        let name = RuleNode(.text, text: syntax.parts[0].text + ": ")
        guard syntax.parts.count > 1 else { return name }
        return RuleNode(.template, [name, try expression(syntax.parts[1])])
    }

    // MARK: Loops

    private func forEach(_ statement: Syntax) throws(Refusal) -> RuleNode {
        let slot = newSlot()
        let list = try expression(statement.parts[1])
        return try inScope { () throws(Refusal) in
            if statement.text != "var" { try announce(statement.parts[0]) }
            let bound = try bind(
                statement.parts[0], to: RuleNode(.slot, index: slot), isConstant: statement.text == "const")
            let body = RuleNode(.block, bound + [try branch(statement.parts[2])])
            return RuleNode(statement.kind == .forOf ? .forOf : .forIn, index: slot, [list, body])
        }
    }

    /// `for (let i = 0; i < list.length; i++)`, in which only the head changes `i`.
    private func forLoop(_ statement: Syntax) throws(Refusal) -> RuleNode {
        let head = statement.parts[0]
        guard head.kind == .declaration, let name = head.parts.first?.parts[0], name.kind == .name,
            head.parts.allSatisfy({ $0.parts.count == 2 }), Self.steps(name.text, statement.parts[2]),
            Self.bounds(name.text, statement.parts[1])
        else { throw Refusal(position: statement.position, reason: RefusalReason.loop) }
        return try inScope { () throws(Refusal) in
            if head.text != "var" { try announce(statements: [head]) }
            let first = RuleNode(.block, try declaration(head))
            guard case .slot(let counter, _) = binding(name.text) else {
                throw Refusal(position: statement.position, reason: RefusalReason.loop)
            }
            let condition = try expression(statement.parts[1])
            let step = try expression(statement.parts[2])
            let body = try branch(statement.parts[3])
            guard !body.assigns(counter) else {
                throw Refusal(position: statement.position, reason: "a loop that changes its own counter")
            }
            return RuleNode(.for, index: statement.position, [first, condition, step, body])
        }
    }

    private static func steps(_ name: String, _ step: Syntax) -> Bool {
        switch step.kind {
        case .update, .updateAfter: step.parts[0].kind == .name && step.parts[0].text == name
        case .assign:
            (step.text == "+" || step.text == "-") && step.parts[0].kind == .name && step.parts[0].text == name
                && step.parts[1].kind == .number
        default: false
        }
    }

    private static func bounds(_ name: String, _ condition: Syntax) -> Bool {
        guard condition.kind == .binary else { return false }
        if condition.text == "&&" { return condition.parts.contains { bounds(name, $0) } }
        return ["<", "<=", ">", ">="].contains(condition.text)
            && condition.parts.contains { $0.kind == .name && $0.text == name }
    }

    private func switchStatement(_ statement: Syntax) throws(Refusal) -> RuleNode {
        let subject = try expression(statement.parts[0])
        return try inScope { () throws(Refusal) in
            var clauses: [RuleNode] = []
            // All clauses share one scope.
            let bodies = statement.parts.dropFirst().map { $0.kind == .case ? Array($0.parts.dropFirst()) : $0.parts }
            try announce(statements: bodies.flatMap { $0 })
            for (clause, body) in zip(statement.parts.dropFirst(), bodies) {
                var nodes = clause.kind == .case ? [try expression(clause.parts[0])] : []
                for part in body { nodes += try lowered(part) }
                clauses.append(RuleNode(clause.kind == .case ? .case : .otherwise, nodes))
            }
            return RuleNode(.switch, index: statement.position, [subject] + clauses)
        }
    }
}

extension RuleNode {
    /// Whether a slot gets another value in it.
    fileprivate func assigns(_ slot: Int) -> Bool {
        operation == .assign && index == slot || children.contains { $0.assigns(slot) }
    }
}
