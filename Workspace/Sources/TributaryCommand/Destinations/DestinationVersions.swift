import ArgumentParser
import TributaryJSON

/// Shows the versions of a destination function.
struct DestinationVersions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "Shows the versions of the function of a destination, newest first, or the code of one.",
        discussion: """
            Each change of the code or the settings of a function makes a version. The newest 50 are kept. Secrets are not part \
            of a version.

              tributary destination versions Orders
              tributary destination versions Orders --show 2 > function.js
            """)

    @OptionGroup var options: DestinationOptions

    @Option(help: ArgumentHelp("Write the code of this version.", valueName: "version"))
    var show: Int?

    @OptionGroup var list: ListOptions

    func run() async throws {
        let client = try options.client()
        if let show {
            let version = try await client.get("versions/\(show)")
            if list.json { return print(version.description) }
            return print(JSON.object(try version.object("settings"))["code"]?.stringValue ?? "", terminator: "")
        }
        let answer = try await client.get("versions")
        try list.show(answer, "versions", empty: "the function was not changed since versions are kept") { version in
            FunctionVersionText.line(version, isCurrent: version["version"] == answer["current"])
        }
    }
}
