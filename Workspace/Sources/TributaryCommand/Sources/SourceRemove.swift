import ArgumentParser
import Foundation
import TributaryJSON

/// Removes a source with all its data.
struct SourceRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a source with everything that belongs to it.",
        discussion: """
            Removes its events, signals, dead letters, live plugins, filters, settings and destinations. The \
            workspace then refuses apps that send with its keys. The command says what it would remove and asks; without a \
            terminal it needs --yes.

            The command waits until everything is removed, however long that takes. When the command or the server \
            ends early, some days may be removed; run the same command again for the others.

            Removed data is overwritten in the files of the workspace, as with `tributary erase`. The audit log \
            keeps the names of changed things. Backups, and files that the server moved to unreadable/, do not \
            change.
            """)

    @OptionGroup var options: SourceOptions

    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
        let client = try AdministrationClient(options)
        if !confirmation.yes {
            try confirmation.confirm(
                IrreversibleStep(
                    losses: try await losses(client), question: "Remove \(options.writeKey.printable)?",
                    otherwise: "nothing was removed"))
        }
        var removed = try await client.delete("")
        // The last answer has the counts; the answers before it have the progress.
        while removed["events"] == nil {
            let (days, done) = (try removed.number("days"), try removed.number("daysDone"))
            Console.error(
                "\(done) of \(days) days are done, \(try removed.number("eventsDone").grouped) events are deleted")
            do {
                removed = try await client.delete("")
            } catch is AdministrationClient.NotFound {
                // The removal ended between two requests.
                print("\(options.writeKey) is removed")
                return
            }
        }
        let counts = try ["events", "destinations", "livePluginVersions", "keys"].map { name throws(Failure) in
            try removed.number(name)
        }
        print(
            "\(options.writeKey) is removed, with \(counts[0].grouped) events, \(counts[1]) destinations, "
                + "\(counts[2]) versions of live plugins and \(counts[3]) keys")
    }

    /// The losses when the source is removed.
    private func losses(_ client: AdministrationClient) async throws -> [String] {
        let keys = try await client.get("keys").list("keys")
        let filters = try await client.get("filters")
        let rules = try filters.expected(filters.elements).count
        let versions = try await client.get("live-plugins").list("versions").count
        let destinations = try await client.get("destinations").list("destinations")
        let figures = try await AdministrationClient(options.server).get(
            "api/stats", query: [URLQueryItem(name: "writeKey", value: options.writeKey)])
        func names(_ list: [JSON], _ member: String) -> String {
            list.isEmpty
                ? "" : " (" + list.compactMap { $0[member]?.stringValue?.printable }.joined(separator: ", ") + ")"
        }
        return [
            "\(try figures.number("stored").grouped) events of \(options.writeKey.printable), and its signals and dead letters",
            "\(keys.count) keys\(names(keys, "key")): apps that send with them are refused",
            "\(destinations.count) destinations\(names(destinations, "name")) and what waits for them",
            "\(versions) versions of live plugins, \(rules) filters and all settings",
        ]
    }
}
