package import TributaryJSON

extension RuleProgram {
    /// The number of the form of the JSON. A client refuses a form that it does not know.
    package static let format = 1

    /// The canonical JSON: the same program always has the same text.
    package var json: JSON {
        [
            "format": .number(JSONNumber(Self.format)),
            "constants": .array(constants),
            "functions": .array(
                functions.map { function in
                    [
                        "slots": .number(JSONNumber(function.slots)),
                        "parameters": .number(JSONNumber(function.parameters)),
                        "strict": .bool(function.isStrict),
                        "body": function.body.json,
                    ]
                }),
            "plugins": .array(plugins.map(\.json)),
        ]
    }
}

extension RuleProgram.Plugin {
    fileprivate var json: JSON {
        [
            "name": .string(name), "type": .string(type), "destination": destination.map(JSON.string) ?? .null,
            "methods": .object(JSONObject(methods.mapValues { .number(JSONNumber($0)) })),
        ]
    }
}

extension RuleNode {
    /// An array: the operation's name, what it needs to know, and the children. An absent child is `null`.
    fileprivate var json: JSON {
        if operation == .empty { return .null }
        var elements: [JSON] = [.string(operation.rawValue)]
        switch operation.payload {
        case .nothing: break
        case .number: elements.append(NumberText.json(number))
        case .text: elements.append(.string(text))
        case .index, .line: elements.append(.number(JSONNumber(index)))
        }
        for child in children { elements.append(child.json) }
        return .array(elements)
    }
}
