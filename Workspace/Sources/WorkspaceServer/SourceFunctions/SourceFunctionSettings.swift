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
        code = try Self.code(settings)
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

    /// The code of a template is copied, so that a later version of the program changes no source.
    private static func code(_ settings: JSONObject) throws(Refusal) -> String {
        let code = try settings.member("code", "code is a text", \.stringValue)
        let template = try settings.member("template", "template is the name of a template", \.stringValue)
        if let template {
            guard code == nil else { throw .invalid("a source function has code or a template, not both") }
            guard let code = SourceFunctionFiles.code(ofTemplate: template) else {
                let known = SourceFunctionFiles.templates.joined(separator: ", ")
                throw .invalid("there is no template \(template); there is \(known)")
            }
            return code
        }
        guard let code, !code.isEmpty else { throw .invalid("a source function needs code, or a template") }
        guard code.utf8.count <= Limits.functionCode else {
            throw .invalid("the code has more than \(Limits.functionCode) bytes")
        }
        return code
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
