import ArgumentParser
import TributaryJSON

/// Switches live plugins off on all devices.
struct PluginDisable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Switches the live plugins of a source off.",
        discussion: "That is a new version too; `tributary plugin rollback` switches them on again.")

    @OptionGroup var options: SourceOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).delete("live-plugins")
        print("live plugins version \(try answer.number("version")): switched off")
    }
}
