import WorkspaceCore

/// The events of a plan for the Swift client.
enum SwiftCode {
    private static let reserved = PlannedCode.Reserved(
        types: [
            "Any", "AnyObject", "Analytics", "AnalyticsEvent", "Bool", "CodingKey", "CodingKeys", "Double", "Encodable",
            "JSON", "JSONObject",
            "Never", "Optional", "Protocol", "Self", "Sendable", "String", "Type", "Void",
        ],
        members: [
            "actor", "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue", "default",
            "defer",
            "deinit", "do", "else", "encode", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
            "guard",
            "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "open", "operator",
            "precedencegroup",
            "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript",
            "super",
            "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
        ])

    static func text(_ plan: TrackingPlan) -> String {
        let code = PlannedCode(plan, types: [.track, .identify, .group, .screen], reserved: reserved)
        let types = code.events.flatMap { [""] + type($0) }
        return (PlannedCode.head(.swift) + ["", "import Tributary"] + types + code.tail).joined(separator: "\n") + "\n"
    }

    private static func type(_ event: PlannedCode.Event) -> [String] {
        let name = event.name.map { literal($0) }
        let isTrack = event.type == .track
        var lines = ["/// \(event.comment)", "///", "/// `\(use(event))`"]
        lines.append("struct \(event.typeName): \(isTrack ? "AnalyticsEvent" : "Encodable") {")
        if let name, event.type != .identify, event.type != .group {
            lines.append("    static let \(isTrack ? "name" : "title") = \(name)")
        }
        for choice in event.properties.compactMap(\.choice) { lines += enumeration(choice) + [""] }
        for property in event.properties {
            if !property.description.isEmpty { lines.append("    /// \(property.description)") }
            lines.append(
                property.isRequired
                    ? "    let \(property.name): \(type(property))" : "    var \(property.name): \(type(property))?")
        }
        if !event.properties.isEmpty { lines += [""] + keys(event.properties) }
        return lines + ["}"]
    }

    private static func enumeration(_ choice: PlannedCode.Choice) -> [String] {
        ["    enum \(choice.nestedName): String, Encodable, Sendable {"]
            + choice.values.map { "        case \($0.name) = \(literal($0.text))" } + ["    }"]
    }

    private static func keys(_ properties: [PlannedCode.Property]) -> [String] {
        ["    private enum CodingKeys: String, CodingKey {"]
            + properties.map { "        case \($0.name) = \(literal($0.key))" } + ["    }"]
    }

    /// How an app sends it.
    private static func use(_ event: PlannedCode.Event) -> String {
        let value = "\(event.typeName)(\(event.properties.isEmpty ? "" : "…"))"
        return switch event.type {
        case .identify: "analytics.identify(userId: id, traits: \(value))"
        case .group: "analytics.group(groupId: id, traits: \(value))"
        case .screen:
            "analytics.screen(title: \(event.name == nil ? "title" : "\(event.typeName).title"), properties: \(value))"
        default: "analytics.track(\(value))"
        }
    }

    private static func type(_ property: PlannedCode.Property) -> String {
        if let choice = property.choice { return choice.nestedName }
        return switch property.kind {
        case .string: "String"
        case .number: "Double"
        case .boolean: "Bool"
        case .object: "[String: JSON]"
        case .array: "[JSON]"
        case .null, nil: "JSON"
        }
    }

    private static func literal(_ text: String) -> String {
        CodeText.literal(text, special: "\"\\") { "\\u{\(String($0.value, radix: 16))}" }
    }
}
