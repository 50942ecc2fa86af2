package import TributaryJSON

extension RuleProgram {
    /// Reads a program of any origin.
    /// - Throws: the reason why it is none: an unknown operation, a missing part, a limit, or a call that could recur.
    package init(json: JSON) throws(RuleProgramError) {
        guard json["format"]?.intValue == Self.format else {
            throw RuleProgramError("this client reads programs of the format \(Self.format) only")
        }
        guard let constants = json["constants"]?.elements, let functions = json["functions"]?.elements,
            let plugins = json["plugins"]?.elements
        else { throw RuleProgramError("a program has constants, functions and plugins") }
        guard functions.count <= RuleLimits.functions, plugins.count <= RuleLimits.plugins else {
            throw RuleProgramError(
                "a program has at most \(RuleLimits.functions) functions and \(RuleLimits.plugins) plugins")
        }
        var decoder = RuleDecoder(constants: constants.count)
        for function in functions { try decoder.read(function) }
        self.init(
            constants: constants, functions: decoder.functions,
            plugins: try plugins.map { plugin throws(RuleProgramError) in try decoder.plugin(plugin) })
    }

    /// Reads the JSON text of a program of any origin.
    package init(text: some StringProtocol) throws(RuleProgramError) {
        guard text.utf8.count <= RuleLimits.programBytes else {
            throw RuleProgramError("a program has at most \(RuleLimits.programBytes) bytes")
        }
        let json: JSON
        do {
            json = try JSON.parse(Array(text.utf8))
        } catch {
            throw RuleProgramError("it is no JSON: \(error)")
        }
        try self.init(json: json)
    }
}

/// Reads the functions of a program in their order, and counts what the limits concern.
private struct RuleDecoder {
    let constants: Int
    private(set) var functions: [RuleProgram.Function] = []
    private var depths: [Int] = []
    private var nodes = 0
    private var slots = 0
    private var deepest = 0

    init(constants: Int) { self.constants = constants }

    mutating func read(_ json: JSON) throws(RuleProgramError) {
        guard let slots = json["slots"]?.intValue, let parameters = json["parameters"]?.intValue,
            let isStrict = json["strict"]?.boolValue, let body = json["body"]
        else { throw RuleProgramError("a function has slots, parameters, strict and a body") }
        guard (0...RuleLimits.slots).contains(slots), (0...slots).contains(parameters) else {
            throw RuleProgramError(
                "a function has at most \(RuleLimits.slots) slots, and its parameters are among them")
        }
        self.slots = slots
        deepest = 0
        let node = try node(body, depth: 1)
        guard node.operation == .block else { throw RuleProgramError("the body of a function is a block") }
        functions.append(RuleProgram.Function(slots: slots, parameters: parameters, isStrict: isStrict, body: node))
        depths.append(deepest)
    }

    func plugin(_ json: JSON) throws(RuleProgramError) -> RuleProgram.Plugin {
        guard let name = json["name"]?.stringValue, name.utf8.count <= RuleLimits.textBytes,
            let type = json["type"]?.stringValue, RuleProgram.types.contains(type),
            let members = json["methods"]?.objectValue
        else { throw RuleProgramError("a plugin has a name, a type and methods") }
        var methods: [String: Int] = [:]
        for (name, value) in members {
            guard RuleProgram.methods.contains(name), let index = value.intValue, functions.indices.contains(index)
            else { throw RuleProgramError("\(name) is no method of a plugin, or its function is missing") }
            methods[name] = index
        }
        return RuleProgram.Plugin(
            name: name, type: type, destination: json["destination"]?.stringValue, methods: methods)
    }

    // MARK: Nodes

    private mutating func node(_ json: JSON, depth: Int) throws(RuleProgramError) -> RuleNode {
        try count(depth)
        if json.isNull { return RuleNode(.empty) }
        guard let elements = json.elements, let name = elements.first?.stringValue,
            let operation = RuleOperation(rawValue: name), operation != .empty
        else { throw RuleProgramError("a node begins with the name of an operation") }
        var (text, number, index, start) = ("", 0.0, 0, 2)
        switch (operation.payload, elements.count > 1 ? elements[1] : .null) {
        case (.nothing, _): start = 1
        case (.number, .number(let value)) where value.double.isFinite: number = value.double
        case (.text, .string(let value)) where value.utf8.count <= RuleLimits.textBytes: text = value
        case (.index, .number(let value)), (.line, .number(let value)):
            guard let whole = value.int64, let small = Int32(exactly: whole), small >= 0 else { fallthrough }
            index = Int(small)
        default: throw RuleProgramError("the node \(name) lacks its value, or the value is too large")
        }
        let children = try children(elements.dropFirst(start), of: operation, depth: depth)
        let node = RuleNode(operation, text: text, number: number, index: index, children)
        try check(node, depth: depth)
        return node
    }

    private mutating func children(
        _ elements: ArraySlice<JSON>, of operation: RuleOperation, depth: Int
    ) throws(RuleProgramError) -> [RuleNode] {
        guard operation.children.contains(elements.count) else {
            throw RuleProgramError("the node \(operation.rawValue) has \(elements.count) children")
        }
        var children: [RuleNode] = []
        for element in elements { children.append(try node(element, depth: depth + 1)) }
        return children
    }

    private mutating func count(_ depth: Int) throws(RuleProgramError) {
        nodes += 1
        deepest = max(deepest, depth)
        guard nodes <= RuleLimits.nodes else {
            throw RuleProgramError("a program has at most \(RuleLimits.nodes) nodes")
        }
        guard depth <= RuleLimits.depth else {
            throw RuleProgramError("nodes are nested at most \(RuleLimits.depth) deep")
        }
    }

    /// Whether the node refers only to what is there, and has children of the right kinds.
    private mutating func check(_ node: RuleNode, depth: Int) throws(RuleProgramError) {
        let isFine: Bool
        switch node.operation {
        case .constant: isFine = node.index < constants
        case .slot, .assign, .forOf, .forIn: isFine = node.index < slots
        case .lambda: isFine = node.index + RuleProgram.lambdaSlots <= slots && node.children[0].operation == .block
        case .call:
            // Only functions before this one, so nothing calls itself.
            isFine = node.index < functions.count
            if isFine {
                deepest = max(deepest, depth + depths[node.index])
                try count(depth + depths[node.index])
            }
        case .method: isFine = RuleMethod(rawValue: node.text) != nil
        case .builtin: isFine = RuleBuiltin(rawValue: node.text) != nil
        case .emit: isFine = RuleProgram.emissions.contains(node.text)
        default: isFine = true
        }
        guard isFine, Self.hasFittingChildren(node) else {
            throw RuleProgramError("the node \(node.operation.rawValue) refers to something that is not there")
        }
    }

    private static func hasFittingChildren(_ node: RuleNode) -> Bool {
        let operations = node.children.lazy.map(\.operation)
        switch node.operation {
        case .object: return operations.allSatisfy { [.property, .computed, .spread].contains($0) }
        case .array, .builtin, .call, .emit: return operations.allSatisfy { isValue($0) || $0 == .spread }
        case .method: return operations.allSatisfy { isValue($0) || $0 == .spread || $0 == .lambda }
        case .block, .otherwise: return operations.allSatisfy(\.isStatement)
        case .case: return isValue(operations[0]) && operations.dropFirst().allSatisfy(\.isStatement)
        case .switch:
            return isValue(operations[0]) && operations.dropFirst().allSatisfy { $0 == .case || $0 == .otherwise }
        case .lambda: return true
        case .if: return isValue(operations[0]) && operations.dropFirst().allSatisfy { $0.isStatement || $0 == .empty }
        case .forOf, .forIn: return isValue(operations[0]) && operations[1].isStatement
        case .for:
            return operations.prefix(3).allSatisfy { isValue($0) || $0 == .block || $0 == .empty }
                && operations[3].isStatement
        case .return: return isValue(operations[0]) || operations[0] == .empty
        default: return operations.allSatisfy(isValue)
        }
    }

    private static func isValue(_ operation: RuleOperation) -> Bool {
        switch operation {
        case .empty, .property, .computed, .spread, .lambda, .case, .otherwise: false
        default: !operation.isStatement
        }
    }
}
