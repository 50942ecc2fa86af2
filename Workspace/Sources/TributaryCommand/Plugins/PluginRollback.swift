import ArgumentParser
import Foundation
import TributaryJSON
import WorkspaceCore

/// Deploys an older version again.
struct PluginRollback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Deploys an older version of the live plugins again, as a new version.",
        discussion: "The number of versions only grows, so that no device goes back by mistake.")

    @OptionGroup var options: SourceOptions

    @Option(
        name: [.customLong("to"), .customLong("version")],
        help: "The version; by default the newest one whose content differs from the current one.")
    var to: Int?

    func run() async throws {
        let client = try AdministrationClient(options)
        let body: JSON = to.map { ["version": .number($0)] } ?? [:]
        let answer = try await client.send("POST", "live-plugins/rollback", body)
        let (version, content) = (try answer.number("version"), try answer.number("contentOf"))
        print("live plugins version \(version), with the content of version \(content)")
    }
}
