import ArgumentParser
import Foundation
import TributaryJSON
import WorkspaceCore

/// Deploys older rules again.
struct FilterRollback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Deploys an older version of the filters again, as a new version for all devices.",
        discussion: "The number of versions only grows. Version 0 has no rules. A roll-out that is under way ends.")

    @OptionGroup var options: SourceOptions

    @Option(
        name: [.customLong("to"), .customLong("version")],
        help: "The version; by default the newest one whose rules differ from the current ones.")
    var to: Int?

    func run() async throws {
        let client = try AdministrationClient(options)
        let body: JSON = to.map { ["version": .number($0)] } ?? [:]
        let answer = try await client.send("POST", "filters/rollback", body)
        let (version, content) = (try answer.number("version"), try answer.number("contentOf"))
        print("filters version \(version), with the rules of version \(content)")
    }
}
