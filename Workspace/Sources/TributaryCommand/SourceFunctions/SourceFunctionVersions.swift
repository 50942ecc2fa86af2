import ArgumentParser
import TributaryJSON

/// Shows the versions of the function of a source.
struct SourceFunctionVersions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "Shows the versions of the function of a source, newest first, or the code of one.",
        discussion: """
            Each change of the code or the settings makes a version. The newest 50 are kept. Secrets are not part of a version.
            """)

    @OptionGroup var options: SourceOptions

    @Option(help: ArgumentHelp("Write the code of this version.", valueName: "version"))
    var show: Int?

    @OptionGroup var list: ListOptions

    func run() async throws {
        let client = try AdministrationClient(options)
        if let show {
            let version = try await client.get("function/versions/\(show)")
            if list.json { return print(version.description) }
            return print(JSON.object(try version.object("settings"))["code"]?.stringValue ?? "", terminator: "")
        }
        let answer = try await client.get("function/versions")
        try list.show(answer, "versions", empty: "the function was not changed since versions are kept") { version in
            FunctionVersionText.line(version, isCurrent: version["version"] == answer["current"])
        }
    }
}
