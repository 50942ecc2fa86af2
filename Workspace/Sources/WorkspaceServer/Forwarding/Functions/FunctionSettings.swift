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
        code = try FunctionCode.text(
            in: settings, of: "a function", templates: FunctionFiles.templates,
            template: FunctionFiles.code(ofTemplate:))
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

    private static func number(
        _ name: String, _ settings: JSONObject, in range: ClosedRange<Int64>
    ) throws(Refusal) -> Int64? {
        try settings.member(name, "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)") {
            $0.numberValue?.int64.flatMap { range.contains($0) ? $0 : nil }
        }
    }
}
