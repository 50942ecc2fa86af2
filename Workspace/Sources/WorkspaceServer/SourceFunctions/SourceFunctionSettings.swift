package import TributaryJSON
package import WorkspaceCore

/// The code of a source function, the values of its settings, and what its class declares.
package struct SourceFunctionSettings: Sendable, Equatable {
    package let code: String
    /// The values of the settings that its class declares.
    package var values: JSONObject
    /// Nil before the code was checked.
    package var declaration: SourceFunctionDeclaration?

    /// - Throws: `Refusal` with the first problem.
    package init(_ settings: JSONObject) throws(Refusal) {
        code = try FunctionCode.text(
            in: settings, of: "a source function", templates: SourceFunctionFiles.templates,
            template: SourceFunctionFiles.code(ofTemplate:))
        values =
            try settings.member("settings", "settings is an object with those of the function", \.objectValue) ?? [:]
        declaration = try settings["declaration"].map { json throws(Refusal) in
            try SourceFunctionDeclaration(json)
        }
    }

    package var json: JSONObject {
        var json: JSONObject = ["code": .string(code), "settings": .object(values)]
        if let declaration { json["declaration"] = .object(declaration.json) }
        return json
    }
}

/// The files of source functions that are part of the program.
package enum SourceFunctionFiles {
    /// The names of the templates.
    package static let templates = ScriptFiles.templates("sources", with: "function.js")

    /// The code of a template; nil when there is none of that name.
    package static func code(ofTemplate name: String) -> String? { ScriptFiles.all["sources/\(name)/function.js"] }

    /// The test vectors of a template; nil when there is none of that name.
    package static func vectors(ofTemplate name: String) -> String? { ScriptFiles.all["sources/\(name)/vectors.json"] }
}
