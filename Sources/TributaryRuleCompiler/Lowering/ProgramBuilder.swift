import TributaryJSON
import TributaryRules

/// Makes a program of a script's statements: its constants, its functions and its plugins.
final class ProgramBuilder {
    /// A name of the script's outermost scope.
    enum Global {
        case value(RuleNode)
        case constant(Int)
        /// A `Set` of constants: the constant array of its values.
        case set(Int)
        case function(Syntax)
        case type(PluginClass)
        /// An instance of a class, as `const fix = new Fix(…)` makes it.
        case instance(Syntax)
    }

    private(set) var refusals: [(refusal: Refusal, plugin: String?)] = []
    private(set) var plugins: [RuleProgram.Plugin] = []
    private(set) var globals: [String: Global] = [:]
    private var constants: [JSON] = []
    private var functions: [RuleProgram.Function] = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var inProgress: Set<ObjectIdentifier> = []
    private var isStrict = false
    private var additions: [(syntax: Syntax, position: Int)] = []

    func refuse(_ refusal: Refusal, plugin: String?) { refusals.append((refusal, plugin)) }

    /// The program. Positions of statements become lines.
    func program(_ places: ScriptPlaces) -> RuleProgram {
        RuleProgram(
            constants: constants,
            functions: functions.map { function in
                RuleProgram.Function(
                    slots: function.slots, parameters: function.parameters, isStrict: function.isStrict,
                    body: function.body.withLines(places))
            }, plugins: plugins)
    }

    func read(_ statements: [Syntax]) {
        if let first = statements.first, first.kind == .run, first.parts[0].kind == .string,
            first.parts[0].text.dropFirst().dropLast() == "use strict"
        {
            isStrict = true
        }
        // Functions are there before anything else runs.
        for statement in statements where statement.kind == .function {
            noting(nil) { () throws(Refusal) in
                guard statement.text != "processSignal" else {
                    throw Refusal(position: statement.position, reason: "a generator of signals")
                }
                try declare(statement.text, .function(statement), at: statement.position)
            }
        }
        for statement in statements { noting(nil) { () throws(Refusal) in try read(statement) } }
        for addition in additions { add(addition.syntax, at: addition.position) }
        if plugins.isEmpty, refusals.isEmpty {
            refuse(Refusal(position: 0, reason: "it adds no plugin"), plugin: nil)
        }
    }

    private func noting(_ plugin: String?, _ body: () throws(Refusal) -> Void) {
        do { try body() } catch { refuse(error, plugin: plugin) }
    }

    // MARK: Outermost statements

    private static let reserved: Set<String> = ["analytics", "LivePlugin", "LivePluginType", "UpdateType", "Analytics"]

    private func declare(_ name: String, _ global: Global, at position: Int) throws(Refusal) {
        guard globals[name] == nil, !Self.reserved.contains(name) else {
            throw Refusal(position: position, reason: "the name \(name) is there already")
        }
        globals[name] = global
    }

    private func read(_ statement: Syntax) throws(Refusal) {
        switch statement.kind {
        case .function, .empty: break
        case .class: try declare(statement.text, .type(PluginClass(statement, self)), at: statement.position)
        case .declaration:
            for declarator in statement.parts { try read(declarator: declarator, word: statement.text) }
        case .run: try run(statement.parts[0], at: statement.position)
        case .refused: throw Refusal(position: statement.position, reason: statement.text)
        default: throw Refusal(position: statement.position, reason: "a statement that runs when the bundle is loaded")
        }
    }

    private func read(declarator: Syntax, word: String) throws(Refusal) {
        let target = declarator.parts[0]
        guard target.kind == .name, declarator.parts.count == 2 else {
            throw Refusal(position: declarator.position, reason: "a variable that keeps a value between events")
        }
        let value = declarator.parts[1]
        switch value.kind {
        case .arrow, .function: try declare(target.text, .function(value), at: declarator.position)
        case .new where value.parts[0].kind == .name && globals[value.parts[0].text].map(Self.isType) == true:
            try declare(target.text, .instance(value), at: declarator.position)
        default: try declare(target.text, try constant(value), at: declarator.position)
        }
    }

    private static func isType(_ global: Global) -> Bool {
        if case .type = global { return true }
        return false
    }

    private func run(_ value: Syntax, at position: Int) throws(Refusal) {
        if value.kind == .string { return }
        guard value.kind == .call, value.parts.count == 2, value.parts[0].kind == .member, value.parts[0].text == "add",
            value.parts[0].parts[0].kind == .name, value.parts[0].parts[0].text == "analytics"
        else {
            throw Refusal(
                position: position,
                reason: value.kind == .refused ? value.text : "a statement that runs when the bundle is loaded")
        }
        additions.append((value.parts[1], position))
    }

    // MARK: Constants

    /// The value of a literal, for a name.
    func constant(_ syntax: Syntax) throws(Refusal) -> Global {
        if syntax.kind == .new, syntax.parts[0].kind == .name, syntax.parts[0].text == "Set", syntax.parts.count == 2 {
            guard case .array = try literal(syntax.parts[1]) else {
                throw Refusal(position: syntax.position, reason: "a Set of something else than constants")
            }
            return .set(try add(literal(syntax.parts[1])))
        }
        if syntax.kind == .call, syntax.parts.count == 2, syntax.parts[0].kind == .member,
            syntax.parts[0].text == "freeze"
        {
            return try constant(syntax.parts[1])
        }
        if syntax.kind == .name, let known = globals[syntax.text], !Self.isType(known) { return known }
        let json = try literal(syntax)
        switch json {
        case .null: return .value(RuleNode(.null))
        case .bool(let value): return .value(RuleNode(value ? .true : .false))
        case .number(let value): return .value(RuleNode(.number, number: value.double))
        case .string(let text): return .value(RuleNode(.text, text: text))
        case .array, .object: return .constant(add(json))
        }
    }

    private func add(_ json: JSON) -> Int {
        constants.append(json)
        return constants.count - 1
    }

    private func literal(_ syntax: Syntax) throws(Refusal) -> JSON {
        switch syntax.kind {
        case .string: return .string(try LiteralText.string(syntax.text, at: syntax.position))
        case .number: return NumberText.json(try LiteralText.number(syntax.text, at: syntax.position))
        case .template where syntax.parts.count == 1: return .string(syntax.parts[0].text)
        case .unary where syntax.text == "-" && syntax.parts[0].kind == .number:
            let value = try LiteralText.number(syntax.parts[0].text, at: syntax.position)
            guard value != 0 else { break }
            return NumberText.json(-value)
        case .name: if let known = try literal(named: syntax.text) { return known }
        case .array:
            var elements: [JSON] = []
            for part in syntax.parts where part.kind != .spread { elements.append(try literal(part)) }
            if elements.count == syntax.parts.count { return .array(elements) }
        case .object:
            var members = JSONObject()
            for part in syntax.parts {
                guard part.kind == .property, part.text != "__proto__" else {
                    throw Refusal(
                        position: part.position, reason: "a member that is computed when the bundle is loaded")
                }
                members[part.text] = try literal(part.parts[0])
            }
            return JSON.object(members).inScriptForm
        case .refused: throw Refusal(position: syntax.position, reason: syntax.text)
        default: break
        }
        throw Refusal(position: syntax.position, reason: "a value that is computed when the bundle is loaded")
    }

    private func literal(named name: String) throws(Refusal) -> JSON? {
        switch (name, globals[name]) {
        case ("true", nil): return .some(true)
        case ("false", nil): return .some(false)
        case ("null", nil): return .some(.null)
        case (_, .constant(let index)): return constants[index]
        case (_, .value(let node)):
            switch node.operation {
            case .text: return .string(node.text)
            case .number: return NumberText.json(node.number)
            case .true, .false: return .bool(node.operation == .true)
            case .null: return .some(.null)
            default: return nil
            }
        default: return nil
        }
    }

    // MARK: Functions

    /// The number of a function in the program. It follows all functions that it calls.
    func number(of function: Syntax, in type: PluginClass?, hidden: Set<String> = []) throws(Refusal) -> Int {
        let id = ObjectIdentifier(function)
        if let known = numbers[id] { return known }
        guard inProgress.insert(id).inserted else {
            throw Refusal(position: function.position, reason: "a function that calls itself")
        }
        defer { inProgress.remove(id) }
        let lowering = FunctionLowering(self, type: type, hidden: hidden)
        let lowered = try lowering.function(function, isStrict: isStrict || type != nil)
        functions.append(lowered)
        numbers[id] = functions.count - 1
        return functions.count - 1
    }

    // MARK: Plugins

    private func add(_ syntax: Syntax, at position: Int) {
        var name: String?
        do throws(Refusal) {
            var made = syntax
            if syntax.kind == .name, case .instance(let instance) = globals[syntax.text] { made = instance }
            guard made.kind == .new, made.parts[0].kind == .name, case .type(let type) = globals[made.parts[0].text]
            else {
                throw Refusal(position: position, reason: "it adds something else than new and a class of this script")
            }
            name = type.name
            let place = try type.place(Array(made.parts.dropFirst()), at: made.position)
            var methods: [String: Int] = [:]
            for method in type.methods {
                noting(type.name) { () throws(Refusal) in
                    try type.check(method)
                    guard RuleProgram.methods.contains(method.text) else { return }
                    methods[method.text] = try number(of: method, in: type)
                }
            }
            for refusal in type.refusals { refuse(refusal, plugin: type.name) }
            plugins.append(
                RuleProgram.Plugin(name: type.name, type: place.type, destination: place.destination, methods: methods))
        } catch {
            refuse(error, plugin: name)
        }
    }
}

extension RuleNode {
    /// The node with lines in place of positions.
    fileprivate func withLines(_ places: ScriptPlaces) -> RuleNode {
        RuleNode(
            operation, text: text, number: number,
            index: operation.payload == .line ? places.line(of: index) : index,
            children.map { $0.withLines(places) })
    }
}
