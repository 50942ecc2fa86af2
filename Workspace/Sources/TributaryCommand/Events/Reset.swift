import ArgumentParser
import Foundation
import TributaryJSON

/// Deletes the events of a source.
struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Deletes all events of a source, for tests of apps.",
        discussion: "The workspace must have been started with --allow-reset. Settings and live plugins stay.")

    @OptionGroup var options: SourceOptions

    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
        let client = try AdministrationClient(options)
        let query = [URLQueryItem(name: "writeKey", value: options.writeKey)]
        let stats = try await AdministrationClient(options.server).get("api/stats", query: query)
        let stored = try stats.number("stored")
        try confirmation.confirm(
            IrreversibleStep(
                losses: stored > 0
                    ? ["the events of \(options.writeKey.printable) go; it stored \(stored.grouped)"] : [],
                question: "Delete them?", otherwise: "nothing was deleted"))
        let answer = try await client.delete("events")
        print("\(try answer.number("deleted").grouped) events deleted")
    }
}
