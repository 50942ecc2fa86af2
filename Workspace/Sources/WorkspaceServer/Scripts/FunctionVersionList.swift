import TributaryJSON
import WorkspaceCore

/// The versions of a function as the administration shows them.
struct FunctionVersionList: Sendable {
    /// Newest first.
    let versions: [FunctionVersion]
    /// "the source WK" or "the destination Orders", for errors.
    let owner: String

    /// The list without the code itself.
    var json: JSON {
        let before = versions.dropFirst().map(Optional.some) + [nil]
        return [
            "current": .number(versions.first?.version),
            "versions": .array(
                zip(versions, before).map { version, before in
                    var json = Self.summary(version)
                    json["newCode"] = .bool(before?.settings["code"] != version.settings["code"])
                    json["settings"] = version.settings["settings"] ?? [:]
                    return .object(json)
                }),
        ]
    }

    /// - Throws: `Refusal` when there is no such version.
    func version(_ number: Int64) throws(Refusal) -> FunctionVersion {
        guard let version = versions.first(where: { $0.version == number }) else {
            throw .notFound(
                "\(owner) has no version \(number) of its function"
                    + (versions.isEmpty ? "" : "; it has \(versions.map { "\($0.version)" }.joined(separator: ", "))"))
        }
        return version
    }

    /// The version to go back to.
    /// - Parameter wanted: nil for the newest one that differs from the current one.
    /// - Throws: `Refusal` when there is none.
    func target(_ wanted: Int64?) throws(Refusal) -> FunctionVersion {
        if let wanted { return try version(wanted) }
        guard let current = versions.first, let other = versions.first(where: { $0.settings != current.settings })
        else { throw .notFound("\(owner) has no earlier version of its function") }
        return other
    }

    /// The answer to a request to go back; the list is that of afterwards.
    func rolledBack(to target: FunctionVersion) -> JSON {
        ["version": .number(versions.first?.version), "contentOf": .number(target.version)]
    }

    /// A version with its code. The code may have a token of another service, so only a role that may change the function
    /// sees it.
    static func json(_ version: FunctionVersion, for role: Role) -> JSON {
        var json = summary(version)
        var settings = version.given
        if role < .administer { settings["code"] = "…" }
        json["settings"] = .object(settings)
        return .object(json)
    }

    private static func summary(_ version: FunctionVersion) -> JSONObject {
        [
            "version": .number(version.version), "storedAt": .time(version.storedAt),
            "storedBy": .string(version.administrator),
            "codeBytes": .number(version.settings["code"]?.stringValue?.utf8.count ?? 0),
        ]
    }
}

extension FunctionVersion {
    /// The settings as an administrator writes them: what the class declares is read from the code again.
    var given: JSONObject {
        var settings = settings
        settings["declaration"] = Optional<JSON>.none
        return settings
    }

    /// Reads the body of a request to go back.
    /// - Returns: the wanted version; nil for the newest one that differs.
    /// - Throws: `Refusal` when it is anything else.
    static func wanted(_ body: JSON?) throws(Refusal) -> Int64? {
        guard let body else { return nil }
        guard let object = body.objectValue, object.allSatisfy({ $0.key == "version" }) else {
            throw .invalid("the body is empty, or an object with version")
        }
        return try object.member("version", "version is a whole number", { $0.numberValue?.int64 })
    }
}
