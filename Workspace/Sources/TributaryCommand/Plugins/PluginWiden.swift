import ArgumentParser
import Foundation
import TributaryJSON
import WorkspaceCore

/// Gives a staged version to more devices.
struct PluginWiden: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "widen",
        abstract: "Gives a staged version of the live plugins to more devices.",
        discussion:
            "The percentage only grows, because devices never go back to an older version; `rollback` ends the roll-out."
    )

    @OptionGroup var options: SourceOptions

    @Option(help: "The share of devices that get it, such as 25%; by default all.")
    var rollout: Stages?

    func validate() throws {
        if rollout?.percentages.count ?? 1 != 1 { throw ValidationError("--rollout takes one share here") }
    }

    func run() async throws {
        let body: JSON = ["percentage": .number(rollout?.percentages.first ?? 100)]
        let answer = try await AdministrationClient(options).send("POST", "live-plugins/widen", body)
        print(
            "live plugins version \(try answer.number("version")) for \(try answer.number("percentage")) % of devices"
        )
    }
}
