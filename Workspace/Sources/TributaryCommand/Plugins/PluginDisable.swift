import ArgumentParser
import TributaryJSON

/// Switches live plugins off on all devices.
struct PluginDisable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Switches the live plugins of a source off.",
        discussion: "That is a new version, too; `tributary plugin rollback` switches them on again.")

    @OptionGroup var options: SourceOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).delete("live-plugins")
        guard let version = answer["version"]?.intValue else {
            throw Failure("the server's answer is not that of a workspace: \(answer)")
        }
        print("live plugins version \(version): switched off")
    }
}
