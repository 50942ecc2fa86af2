import WorkspaceCore

/// The events of a plan for analytics-kotlin.
enum KotlinCode {
    private static let reserved = PlannedCode.Reserved(
        types: [
            "Analytics", "Any", "Boolean", "Double", "JsonArray", "JsonElement", "JsonObject", "Nothing", "String",
            "Unit",
        ],
        members: [
            "alias", "as", "break", "buildJsonObject", "class", "continue", "do", "else", "false", "for", "fun",
            "group", "identify", "if",
            "in", "interface", "is", "null", "object", "package", "put", "return", "screen", "super", "this", "throw",
            "track", "true",
            "try", "typealias", "typeof", "val", "var", "when", "while",
        ])

    static func text(_ plan: TrackingPlan, package: String?) -> String {
        let code = PlannedCode(plan, types: [.track, .identify, .group, .screen], reserved: reserved)
        let imports = [
            "", "import com.segment.analytics.kotlin.core.Analytics", "import kotlinx.serialization.json.JsonArray",
            "import kotlinx.serialization.json.JsonElement", "import kotlinx.serialization.json.JsonObject",
            "import kotlinx.serialization.json.buildJsonObject", "import kotlinx.serialization.json.put",
        ]
        let head = PlannedCode.head(.kotlin) + (package.map { ["", "package \($0)"] } ?? [])
        let events = code.events.flatMap { event in
            event.properties.compactMap(\.choice).flatMap { [""] + enumeration($0) } + [""] + function(event)
        }
        return (head + imports + events + code.tail).joined(separator: "\n") + "\n"
    }

    private static func enumeration(_ choice: PlannedCode.Choice) -> [String] {
        let values = choice.values.map { "    \($0.name)(\(literal($0.text)))" }.joined(separator: ",\n")
        return ["enum class \(choice.typeName)(val text: String) {", values + ",", "}"]
    }

    private static func function(_ event: PlannedCode.Event) -> [String] {
        let documented = event.properties.filter { !$0.description.isEmpty }
        let comment =
            documented.isEmpty
            ? ["/** \(event.comment) */"]
            : ["/**", " * \(event.comment)", " *"] + documented.map { " * @param \($0.name) \($0.description)" } + [
                " */"
            ]
        // A value that the call needs beside the properties. Its name is not one of theirs.
        var names = CodeNames(reserved: Set(event.properties.map(\.name)))
        let (call, needed) = call(event, &names)
        let parameters =
            (needed.map { ["\($0): String"] } ?? [])
            + event.properties.map { "\($0.name): \(type($0))\($0.isRequired ? "" : "? = null")" }
        let puts = event.properties.map { property in
            let value = property.choice == nil ? property.name : "\(property.name).text"
            let put = "put(\(literal(property.key)), \(value))"
            return property.isRequired ? "    \(put)" : "    if (\(property.name) != null) \(put)"
        }
        return comment + [
            "fun Analytics.\(event.memberName)(\(parameters.joined(separator: ", "))) = \(call), buildJsonObject {"
        ]
            + puts + ["})"]
    }

    private static func call(_ event: PlannedCode.Event, _ names: inout CodeNames) -> (String, String?) {
        switch event.type {
        case .identify, .group:
            let id = names.make(event.type == .identify ? "userId" : "groupId", .member, otherwise: "id")
            return ("\(event.type.rawValue)(\(id)", id)
        case .screen where event.name == nil:
            let title = names.make("title", .member, otherwise: "title")
            return ("screen(\(title)", title)
        case .screen: return ("screen(\(literal(event.name ?? ""))", nil)
        default: return ("track(\(literal(event.name ?? ""))", nil)
        }
    }

    private static func type(_ property: PlannedCode.Property) -> String {
        if let choice = property.choice { return choice.typeName }
        return switch property.kind {
        case .string: "String"
        case .number: "Double"
        case .boolean: "Boolean"
        case .object: "JsonObject"
        case .array: "JsonArray"
        case .null, nil: "JsonElement"
        }
    }

    private static func literal(_ text: String) -> String {
        CodeText.literal(text, special: "\"\\$", escape: CodeText.codeUnits)
    }
}
