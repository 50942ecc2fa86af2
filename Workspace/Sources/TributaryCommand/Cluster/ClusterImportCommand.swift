import ArgumentParser
import Foundation
import ProgramSupport
import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// Moves the data of one machine into a cluster.
struct ClusterImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Moves the data of one machine into the store of a new cluster.",
        discussion: """
            End the workspace of the folder first, and start no node of the cluster before. The command moves all \
            events, rejected events, traces and signals with their times and their order, and makes a folder with the \
            settings: start the first node with it, `tributary serve --data NEW …`, and the others with empty folders. \
            Nothing in the data folder is changed.

            You may end it at any moment and run it again; it goes on where it was. At the end it compares the \
            number of rows in the store with the number in the folder, and prints both.
            """)

    @Argument(help: "Data folder of a workspace that does not run.", completion: .directory)
    var data: String

    @Option(help: "Folder to make for the first node; it must be missing or empty.", completion: .directory)
    var new: String

    @Option(
        help: "Configuration file of `serve`; without it, TRIBUTARY_CONFIG in the environment.", completion: .file())
    var config: String?

    @Option(
        help: "Replicas of ClickHouse: clickhouse://one:8123,two:8123/tributary. Better TRIBUTARY_STORE for a password."
    )
    var store: String?

    @Option(help: "Number of partitions of the cluster's log; by default 16. Start the nodes with the same number.")
    var partitions: String?

    func run() async throws {
        let values = try values()
        guard let store = values.text("store") else {
            throw Failure("name the store of the cluster: --store, or TRIBUTARY_STORE in the environment")
        }
        let partitions = try values.number("partitions", in: 1...ClusterOptions.mostPartitions)
        do {
            let summary = try await ClusterImport.run(
                from: data, to: try ClusterAddresses.store(store),
                partitions: partitions ?? ClusterEngines.defaultPartitions, founder: new
            ) { Waiting.show("\($0.grouped) of \($1.grouped) rows", share: Double($0) / Double(max($1, 1))) }
            Waiting.finish()
            print(Self.text(summary, new))
        } catch let error as WorkspaceError {
            throw Failure(error.description)
        } catch let error as ClickHouseError {
            throw Failure("the store cannot be used: \(error). Run the same command again; it goes on where it was")
        }
    }

    private func values() throws -> ServeValues {
        let flags = ["store": store, "partitions": partitions]
        return try ServeValues(flags: flags.compactMapValues { $0.map { [$0] } }, config: config)
    }

    static func text(_ summary: ClusterImport.Summary, _ new: String) -> String {
        let counts = summary.counts
        let parts = [
            "\(counts.events.grouped) events", "\(counts.rejected.grouped) rejected events",
            "\(counts.traces.grouped) traces", "\(counts.signals.grouped) signals",
        ]
        let there = counts.all - summary.moved
        return """
            moved \(summary.moved.grouped) rows of \(summary.days.grouped) days\
            \(there > 0 ? "; \(there.grouped) were there already" : "")
            the store has \(parts.joined(separator: ", ")), as many as the folder
            the settings are in \(new); start the first node with `tributary serve --data \(new)`
            """
    }
}
