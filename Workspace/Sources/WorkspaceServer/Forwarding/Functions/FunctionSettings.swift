package import TributaryJSON
package import WorkspaceCore

/// The settings of a destination function.
package struct FunctionSettings: Sendable, Equatable {
    package let code: String
    /// The values of the settings that its class declares.
    var values: JSONObject
    let timeoutSeconds: Int64
    let parallelRequests: Int
    /// The declarations of its class; nil before the code was checked.
    package var declaration: FunctionDeclaration?

    private static let members = [
        "code", "template", "settings", "timeoutSeconds", "parallelRequests", "declaration",
    ]

    /// The name of the code in errors.
    static let fileName = "function.js"

    /// - Throws: `Refusal` with the first problem.
    package init(_ settings: JSONObject) throws(Refusal) {
        if let stranger = settings.first(where: { !Self.members.contains($0.key) }) {
            throw .invalid(
                "a function has no setting \(stranger.key) of its own; it has code or template, settings, timeoutSeconds "
                    + "and parallelRequests")
        }
        code = try Self.code(settings)
        values =
            try settings.member("settings", "settings is an object with those of the function", \.objectValue) ?? [:]
        timeoutSeconds = try Self.number("timeoutSeconds", settings, in: 1...60) ?? 15
        parallelRequests = Int(try Self.number("parallelRequests", settings, in: 1...64) ?? 8)
        declaration = try settings["declaration"].map { json throws(Refusal) in try FunctionDeclaration(json) }
    }

    /// The hosts that it reaches.
    /// - Throws: `Refusal` when the code was not checked, or a host has no address.
    var hosts: FunctionHosts {
        get throws(Refusal) {
            guard let declaration else { throw .invalid("the code was not checked; store it again") }
            return try FunctionHosts(declaration.hosts, values: declaration.values(values))
        }
    }

    package var json: JSONObject {
        var json: JSONObject = [
            "code": .string(code), "settings": .object(values), "timeoutSeconds": .number(timeoutSeconds),
            "parallelRequests": .number(parallelRequests),
        ]
        if let declaration { json["declaration"] = .object(declaration.json) }
        return json
    }

    /// The code of a template is copied, so that a later version of the program changes no destination.
    private static func code(_ settings: JSONObject) throws(Refusal) -> String {
        let code = try settings.member("code", "code is a text", \.stringValue)
        let template = try settings.member("template", "template is the name of a template", \.stringValue)
        if let template {
            guard code == nil else { throw .invalid("a function has code or a template, not both") }
            guard let code = FunctionFiles.code(ofTemplate: template) else {
                let known = FunctionFiles.templates.joined(separator: ", ")
                throw .invalid("there is no template \(template); there is \(known)")
            }
            return code
        }
        guard let code, !code.isEmpty else { throw .invalid("a function needs code, or a template") }
        guard code.utf8.count <= Limits.functionCode else {
            throw .invalid("the code has more than \(Limits.functionCode) bytes")
        }
        return code
    }

    private static func number(
        _ name: String, _ settings: JSONObject, in range: ClosedRange<Int64>
    ) throws(Refusal) -> Int64? {
        try settings.member(name, "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)") {
            $0.numberValue?.int64.flatMap { range.contains($0) ? $0 : nil }
        }
    }
}
