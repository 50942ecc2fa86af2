/// The files of destination functions that are part of the program.
package enum FunctionFiles {
    /// The script that destination functions find there.
    package static let prelude = ScriptFiles.all["prelude.js"] ?? ""

    /// The names of the templates.
    package static let templates = ScriptFiles.templates("destinations", with: "function.js")

    /// The code of a template; nil when there is none of that name.
    package static func code(ofTemplate name: String) -> String? { ScriptFiles.all["destinations/\(name)/function.js"] }

    /// The purpose of a template: the comment in the first line of its code.
    package static func about(template name: String) -> String {
        let line = code(ofTemplate: name)?.prefix { $0 != "\n" } ?? ""
        return line.hasPrefix("//") ? line.dropFirst(2).drop { $0 == " " }.description : ""
    }

    /// The test vectors of a template; nil when there is none of that name.
    package static func vectors(ofTemplate name: String) -> String? {
        ScriptFiles.all["destinations/\(name)/vectors.json"]
    }
}
