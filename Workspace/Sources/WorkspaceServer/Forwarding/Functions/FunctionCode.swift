import TributaryJSON
import WorkspaceCore

/// The code in the settings of a destination function or a source function.
enum FunctionCode {
    /// Reads the code, or copies that of a template, so that a later version of the program changes no function.
    /// - Parameters:
    ///   - owner: "a function", for errors.
    ///   - templates: the names of the templates that there are.
    ///   - template: the code of a template; nil when there is none of that name.
    /// - Throws: `Refusal` with the first problem.
    static func text(
        in settings: JSONObject, of owner: String, templates: [String], template: (String) -> String?
    ) throws(Refusal) -> String {
        let code = try settings.member("code", "code is a text", \.stringValue)
        if let name = try settings.member("template", "template is the name of a template", \.stringValue) {
            guard code == nil else { throw .invalid("\(owner) has code or a template, not both") }
            guard let code = template(name) else {
                throw .invalid("there is no template \(name); there is \(templates.joined(separator: ", "))")
            }
            return code
        }
        guard let code, !code.isEmpty else { throw .invalid("\(owner) needs code, or a template") }
        guard code.utf8.count <= Limits.functionCode else {
            throw .invalid("the code has more than \(Limits.functionCode) bytes")
        }
        return code
    }
}
