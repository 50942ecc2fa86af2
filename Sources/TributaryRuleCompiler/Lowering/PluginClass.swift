import TributaryRules

/// A class of a script.
final class PluginClass {
    let name: String
    private(set) var methods: [Syntax] = []
    private(set) var statics: [Syntax] = []
    private(set) var fields: [String: ProgramBuilder.Global] = [:]
    private(set) var staticFields: [String: ProgramBuilder.Global] = [:]
    /// The reasons against data, when the class is a plugin.
    private(set) var refusals: [Refusal] = []
    private var constructor: Syntax?
    private let isPlugin: Bool
    private let position: Int

    init(_ syntax: Syntax, _ builder: ProgramBuilder) {
        name = syntax.text
        position = syntax.position
        isPlugin = syntax.parts[0].kind == .name && syntax.parts[0].text == "LivePlugin"
        for member in syntax.parts.dropFirst() {
            do throws(Refusal) {
                try read(member, builder)
            } catch {
                refusals.append(error)
            }
        }
    }

    private func read(_ member: Syntax, _ builder: ProgramBuilder) throws(Refusal) {
        switch member.kind {
        case .field:
            guard let value = member.parts.first else {
                throw Refusal(position: member.position, reason: "a field that keeps a value between events")
            }
            if member.isStatic {
                staticFields[member.text] = try builder.constant(value)
            } else {
                fields[member.text] = try builder.constant(value)
            }
        case .method where member.isStatic: statics.append(member)
        case .method where member.text == "constructor":
            constructor = member
            try readConstructor(member, builder)
        case .method: methods.append(member)
        default: throw Refusal(position: member.position, reason: member.text)
        }
    }

    /// After `super(…)`, a constructor may set fields to constants.
    private func readConstructor(_ member: Syntax, _ builder: ProgramBuilder) throws(Refusal) {
        for statement in member.parts.last?.parts ?? [] where statement.kind != .empty {
            guard statement.kind == .run else { throw Self.constructorRefusal(statement) }
            let value = statement.parts[0]
            if value.kind == .call, value.parts[0].kind == .super { continue }
            guard value.kind == .assign, value.text.isEmpty, value.parts[0].kind == .member,
                value.parts[0].parts[0].kind == .this
            else { throw Self.constructorRefusal(statement) }
            fields[value.parts[0].text] = try builder.constant(value.parts[1])
        }
    }

    private static func constructorRefusal(_ statement: Syntax) -> Refusal {
        Refusal(position: statement.position, reason: "a constructor that does more than call super and set constants")
    }

    func method(_ name: String) -> Syntax? { methods.last { $0.text == name } }
    func staticMethod(_ name: String) -> Syntax? { statics.last { $0.text == name } }

    /// - Throws: when the method hears of something else than events.
    func check(_ method: Syntax) throws(Refusal) {
        if let refused = method.parts.first, refused.kind == .refused {
            throw Refusal(position: refused.position, reason: refused.text)
        }
        let isEmpty = method.parts.last?.parts.isEmpty ?? true
        switch method.text {
        case "update" where !isEmpty: throw Refusal(position: method.position, reason: "it reads the client's settings")
        case "reset" where !isEmpty, "flush" where !isEmpty:
            throw Refusal(position: method.position, reason: "it hears of \(method.text)")
        case "execute": throw Refusal(position: method.position, reason: "it has execute; write process")
        default: break
        }
    }

    // MARK: Its place

    /// The place of an instance in the timeline.
    func place(_ arguments: [Syntax], at position: Int) throws(Refusal) -> (type: String, destination: String?) {
        guard isPlugin else {
            throw Refusal(position: self.position, reason: "a class that does not extend LivePlugin itself")
        }
        var given = arguments
        if let constructor {
            let calls = constructor.parts.last?.parts.filter { $0.kind == .run && $0.parts[0].kind == .call } ?? []
            guard let call = calls.first?.parts[0], call.parts[0].kind == .super else {
                throw Refusal(position: constructor.position, reason: "a constructor without super")
            }
            given = try call.parts.dropFirst().map { argument throws(Refusal) in
                try resolved(argument, constructor, arguments)
            }
        }
        let type = try given.first.map { argument throws(Refusal) in try Self.type(argument) } ?? nil
        guard let type else {
            throw Refusal(position: position, reason: "the type of the plugin is no LivePluginType")
        }
        guard given.count > 1 else { return (type, nil) }
        return (type, try Self.destination(given[1]))
    }

    private func resolved(
        _ argument: Syntax, _ constructor: Syntax, _ arguments: [Syntax]
    ) throws(Refusal) -> Syntax {
        guard argument.kind == .name else { return argument }
        for (place, parameter) in constructor.parts.dropLast().enumerated()
        where parameter.kind == .pattern && parameter.parts[0].text == argument.text {
            if place < arguments.count { return arguments[place] }
            return parameter.parts.count > 1 ? parameter.parts[1] : Syntax(.name, at: argument.position, "undefined")
        }
        return argument
    }

    private static func type(_ syntax: Syntax) throws(Refusal) -> String? {
        switch syntax.kind {
        case .member where syntax.parts[0].kind == .name && syntax.parts[0].text == "LivePluginType":
            return RuleProgram.types.contains(syntax.text) ? syntax.text : nil
        case .string:
            let text = try LiteralText.string(syntax.text, at: syntax.position)
            return RuleProgram.types.contains(text) ? text : nil
        case .number: return ["0": "before", "1": "enrichment", "3": "after", "4": "utility"][syntax.text]
        default: return nil
        }
    }

    private static func destination(_ syntax: Syntax) throws(Refusal) -> String? {
        switch syntax.kind {
        case .string:
            let text = try LiteralText.string(syntax.text, at: syntax.position)
            return text.isEmpty ? nil : text
        case .name where syntax.text == "null" || syntax.text == "undefined": return nil
        default: throw Refusal(position: syntax.position, reason: "the destination of the plugin is no text")
        }
    }
}
