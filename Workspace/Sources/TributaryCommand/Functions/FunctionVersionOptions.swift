import ArgumentParser
import TributaryJSON
import WorkspaceCore

/// Shows the versions of a destination function or a source function, or the code of one.
struct FunctionVersionsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write the code of this version.", valueName: "version"))
    var show: Int?

    @OptionGroup var list: ListOptions

    /// - Parameter path: that of the versions in the interface.
    func run(_ client: AdministrationClient, _ path: String) async throws {
        if let show {
            let version = try await client.get("\(path)/\(show)")
            if list.json { return print(version.description) }
            return print(JSON.object(try version.object("settings"))["code"]?.stringValue ?? "", terminator: "")
        }
        let answer = try await client.get(path)
        try list.show(answer, "versions", empty: "the function was not changed since versions are kept") { version in
            Self.line(version, isCurrent: version["version"] == answer["current"])
        }
    }

    private static func line(_ version: JSON, isCurrent: Bool) -> String {
        let author = version["storedBy"]?.stringValue?.printable ?? ""
        let code =
            version["newCode"] == true
            ? "new code of \((version["codeBytes"]?.intValue ?? 0).grouped) bytes" : "other settings"
        let text =
            "version \(version["version"]?.intValue ?? 0), \(version["storedAt"]?.stringValue?.printable ?? "?"), \(code)"
            + (author.isEmpty ? "" : ", by \(author)")
        return isCurrent ? OutputStyle.output.bold("\(text), current") : text
    }
}

/// Stores an older version of a destination function or a source function again.
struct FunctionRollbackOptions: ParsableArguments {
    @Option(
        name: [.customLong("to"), .customLong("version")],
        help: "The version; by default the newest one that differs from the current one.")
    var to: Int?

    /// - Parameter path: that of the request in the interface.
    func run(_ client: AdministrationClient, _ path: String) async throws {
        let answer = try await client.send("POST", path, to.map { ["version": .number($0)] } ?? [:])
        print(
            "the function has version \(try answer.number("version")), with the content of version "
                + "\(try answer.number("contentOf"))")
    }
}
