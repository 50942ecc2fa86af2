import TributaryJSON

/// One evaluation of a program's function. It ends after a bounded number of steps.
///
/// One thread uses it.
package final class RuleRun {
    /// Makes an event of a program: its type, and its members as JSON text.
    package typealias Emission = (_ type: String, _ text: String) throws -> Void

    let program: RuleProgram
    private let emission: Emission
    private var steps: Int
    /// The line of the statement that runs, for faults.
    package private(set) var line = 0
    /// The values of the running function's parameters and names.
    var slots: [RuleValue] = []
    var isStrict = true
    /// Whether an optional chain has ended, because a value was null or undefined.
    var isChainOver = false
    /// The value of the last `return`.
    var result = RuleValue.undefined
    private var constants: [Int: RuleValue] = [:]

    package init(
        _ program: RuleProgram, steps: Int = RuleLimits.steps,
        emission: @escaping Emission
    ) {
        self.program = program
        self.steps = steps
        self.emission = emission
    }

    /// Calls a function of the program.
    package func call(_ function: Int, _ arguments: [RuleValue]) throws(RuleFault) -> RuleValue {
        let called = program.functions[function]
        let outer = (slots, isStrict)
        slots = Array(repeating: .undefined, count: called.slots)
        for (place, argument) in arguments.prefix(called.parameters).enumerated() { slots[place] = argument }
        isStrict = called.isStrict
        defer { (slots, isStrict) = outer }
        guard try perform(called.body) == .return else { return .undefined }
        let value = result
        result = .undefined
        return value
    }

    /// Takes steps; throws when none are left.
    @inline(__always)
    func take(_ count: Int = 1) throws(RuleFault) {
        steps -= count
        if steps < 0 { throw RuleFault(kind: .steps, message: "it has used up its steps") }
    }

    func constant(_ index: Int) -> RuleValue {
        if let known = constants[index] { return known }
        let value = program.constants[index].ruleValue(isConstant: true) { _ in }
        constants[index] = value
        return value
    }

    // MARK: Statements

    enum Flow { case next, `break`, `continue`, `return` }

    func perform(_ node: RuleNode) throws(RuleFault) -> Flow {
        try take()
        switch node.operation {
        case .block: return try performAll(node.children[...])
        case .run:
            line = node.index
            _ = try value(node.children[0])
            return .next
        case .if:
            line = node.index
            let branch = try value(node.children[0]).isTrue ? node.children[1] : node.children[2]
            return branch.operation == .empty ? .next : try perform(branch)
        case .return:
            line = node.index
            result = node.children[0].operation == .empty ? .undefined : try value(node.children[0])
            return .return
        case .break: return .break
        case .continue: return .continue
        case .throw:
            line = node.index
            throw RuleFault(kind: .exception, message: try displayed(try value(node.children[0])))
        case .forOf: return try performForOf(node)
        case .forIn: return try performForIn(node)
        case .for: return try performFor(node)
        case .switch: return try performSwitch(node)
        default: throw .unsupported("\(node.operation.rawValue) is no statement")
        }
    }

    private func displayed(_ value: RuleValue) throws(RuleFault) -> String {
        if case .object = value { return try RuleOutput(isExact: true).json(value)?.description ?? "" }
        return try displayText(try text(value))
    }

    func performAll(_ statements: ArraySlice<RuleNode>) throws(RuleFault) -> Flow {
        for statement in statements {
            let flow = try perform(statement)
            if flow != .next { return flow }
        }
        return .next
    }

    private func performForOf(_ node: RuleNode) throws(RuleFault) -> Flow {
        let iterated = try value(node.children[0])
        guard case .array(let array) = iterated else {
            for element in try list(of: iterated) {
                if let flow = try round(node, element) { return flow }
            }
            return .next
        }
        var place = 0
        while place < array.count {
            if let flow = try round(node, array.values[place]) { return flow }
            place += 1
        }
        return .next
    }

    private func performForIn(_ node: RuleNode) throws(RuleFault) -> Flow {
        let iterated = try value(node.children[0])
        for key in try forInKeys(of: iterated) {
            if case .object(let object) = iterated, !object.has(key) { continue }
            if let flow = try round(node, .string(key)) { return flow }
        }
        return .next
    }

    /// One round of a loop over values; nil when the loop goes on.
    private func round(_ node: RuleNode, _ element: RuleValue) throws(RuleFault) -> Flow? {
        slots[node.index] = element
        switch try perform(node.children[1]) {
        case .break: return .next
        case .return: return .return
        case .next, .continue: return nil
        }
    }

    private func performFor(_ node: RuleNode) throws(RuleFault) -> Flow {
        line = node.index
        try evaluate(node.children[0])
        while node.children[1].operation == .empty ? true : try value(node.children[1]).isTrue {
            switch try perform(node.children[3]) {
            case .break: return .next
            case .return: return .return
            case .next, .continue: break
            }
            try evaluate(node.children[2])
        }
        return .next
    }

    private func evaluate(_ node: RuleNode) throws(RuleFault) {
        switch node.operation {
        case .empty: break
        case .block: _ = try perform(node)
        default: _ = try value(node)
        }
    }

    private func performSwitch(_ node: RuleNode) throws(RuleFault) -> Flow {
        line = node.index
        let subject = try value(node.children[0])
        let clauses = node.children.dropFirst()
        var start: Int?
        for (place, clause) in zip(clauses.indices, clauses) where clause.operation == .case {
            guard RuleValue.areSame(subject, try value(clause.children[0])) else { continue }
            start = place
            break
        }
        guard let start = start ?? clauses.firstIndex(where: { $0.operation == .otherwise }) else { return .next }
        for clause in clauses[start...] {
            let flow = try performAll(clause.children.dropFirst(clause.operation == .case ? 1 : 0))
            switch flow {
            case .break: return .next
            case .continue, .return: return flow
            case .next: break
            }
        }
        return .next
    }

    // MARK: Events of programs

    func emit(_ type: String, _ arguments: [RuleValue]) throws(RuleFault) {
        let members = try RuleEmission.members(of: type, arguments)
        let text = try RuleOutput(isExact: true).json(.object(members))?.description ?? "{}"
        try take(text.utf8.count / 16)
        do {
            try emission(type, text)
        } catch {
            throw RuleFault(kind: .exception, message: "\(error)")
        }
    }
}

/// Checks what a program passes to `analytics`, as the function of that name does.
private enum RuleEmission {
    static func members(of type: String, _ arguments: [RuleValue]) throws(RuleFault) -> RuleObject {
        func argument(_ place: Int) -> RuleValue { place < arguments.count ? arguments[place] : .undefined }
        let members = RuleObject()
        func text(_ key: String, _ place: Int, _ what: String, isOptional: Bool = false) throws(RuleFault) {
            let value = argument(place)
            if isOptional, value.isNullish { return members.set(key, .undefined) }
            guard value.isText else { throw .type("\(what) must be a string") }
            members.set(key, value)
        }
        func object(_ key: String, _ place: Int) throws(RuleFault) {
            switch argument(place) {
            case .undefined, .null: members.set(key, .undefined)
            case .object(let value): members.set(key, .object(value))
            default: throw .type("\(key) must be an object")
            }
        }
        switch type {
        case "track":
            try text("event", 0, "the name of a track event")
            try object("properties", 1)
            try object("context", 2)
        case "identify":
            try text("userId", 0, "the user id", isOptional: true)
            try object("traits", 1)
            try object("context", 2)
        case "screen":
            try text("title", 0, "the title of a screen")
            try text("category", 1, "the category of a screen", isOptional: true)
            try object("properties", 2)
            try object("context", 3)
        case "group":
            try text("groupId", 0, "the group id")
            try object("traits", 1)
            try object("context", 2)
        default:
            try text("newId", 0, "the new id")
            try object("context", 1)
        }
        return members
    }
}
