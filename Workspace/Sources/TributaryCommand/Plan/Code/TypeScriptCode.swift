import WorkspaceCore

/// The events of a plan for analytics-next and other clients of the browser with its functions.
enum TypeScriptCode {
    private static let reserved = PlannedCode.Reserved(
        types: ["Array", "Boolean", "Number", "Object", "Record", "String", "Tracker"],
        members: [
            "analytics", "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger",
            "default", "delete", "do",
            "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function", "if", "implements",
            "import", "in",
            "instanceof", "interface", "let", "new", "null", "package", "private", "protected", "public", "return",
            "static", "super",
            "switch", "this", "throw", "true", "try", "typeof", "undefined", "var", "void", "while", "with", "yield",
        ])

    private static let tracker = [
        "", "/** What sends the events: the client's object `analytics`. */", "export interface Tracker {",
        "  track(event: string, properties?: object): unknown;",
        "  identify(userId: string, traits?: object): unknown;",
        "  group(groupId: string, traits?: object): unknown;", "  page(name: string, properties?: object): unknown;",
        "}",
    ]

    static func text(_ plan: TrackingPlan) -> String {
        let code = PlannedCode(plan, types: [.track, .identify, .group, .page], reserved: reserved)
        let events = code.events.flatMap { [""] + interface($0) + [""] + function($0) }
        return (PlannedCode.head(.typescript) + tracker + events + code.tail).joined(separator: "\n") + "\n"
    }

    private static func interface(_ event: PlannedCode.Event) -> [String] {
        let members = event.properties.flatMap { property in
            (property.description.isEmpty ? [] : ["  /** \(property.description) */"])
                + ["  \(literal(property.key))\(property.isRequired ? "" : "?"): \(type(property));"]
        }
        return ["/** \(event.comment) */", "export interface \(event.typeName) {"] + members + ["}"]
    }

    private static func function(_ event: PlannedCode.Event) -> [String] {
        let isOptional = event.properties.allSatisfy { !$0.isRequired }
        let properties = "properties: \(event.typeName)\(isOptional ? " = {}" : "")"
        let (id, call): (String?, String) =
            switch event.type {
            case .identify: ("userId", "identify(userId")
            case .group: ("groupId", "group(groupId")
            case .page where event.name == nil: ("name", "page(name")
            case .page: (nil, "page(\(literal(event.name ?? ""))")
            default: (nil, "track(\(literal(event.name ?? ""))")
            }
        let parameters = (["analytics: Tracker"] + (id.map { ["\($0): string"] } ?? []) + [properties]).joined(
            separator: ", ")
        return [
            "/** Sends \(event.comment) */", "export function \(event.memberName)(\(parameters)): unknown {",
            "  return analytics.\(call), properties);", "}",
        ]
    }

    private static func type(_ property: PlannedCode.Property) -> String {
        if let choice = property.choice { return choice.values.map { literal($0.text) }.joined(separator: " | ") }
        return switch property.kind {
        case .string: "string"
        case .number: "number"
        case .boolean: "boolean"
        case .object: "Record<string, unknown>"
        case .array: "unknown[]"
        case .null, nil: "unknown"
        }
    }

    private static func literal(_ text: String) -> String {
        CodeText.literal(text, special: "\"\\", escape: CodeText.codeUnits)
    }
}
