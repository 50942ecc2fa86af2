import ArgumentParser
import Foundation
import ProgramSupport
import TributaryJSON
import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

#if TRIBUTARY_CLUSTER
import ClusterNATS
#endif

/// Checks the engines of a cluster.
struct ClusterCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks whether the engines of a cluster are set up so that no event is lost or stored twice.",
        discussion: """
            It reads settings and changes nothing. It has the same options as `serve`, and also reads its \
            configuration file and the environment. The exit status is 0 only when all is fine; `serve` does not \
            start when a setting is wrong.

            fine      the setting has the value that safety needs
            warning   nothing is lost at present: a server is away, or a replica is behind
            wrong     acknowledged events may be lost or stored twice
            unseen    the check could not read the setting
            """)

    @Option(
        help: "Configuration file of `serve`; without it, TRIBUTARY_CONFIG in the environment.", completion: .file())
    var config: String?

    @Option(help: "Servers of NATS: nats://one:4222,two:4222,three:4222.")
    var log: String?

    @Option(help: "Monitoring of these servers: http://one:8222,http://two:8222,http://three:8222.")
    var logMonitoring: String?

    @Option(
        help: "Replicas of ClickHouse: clickhouse://one:8123,two:8123/tributary. Better TRIBUTARY_STORE for a password."
    )
    var store: String?

    @Flag(help: "Write the findings as JSON.")
    var json = false

    func run() async throws {
        guard let engines = try ClusterEngines(try values()) else {
            throw Failure("name the engines of the cluster: --log and --store, or TRIBUTARY_LOG and TRIBUTARY_STORE")
        }
        let check = try await Self.check(engines)
        if json {
            print(check.json)
        } else {
            for line in Self.lines(check) { print(line) }
        }
        if !check.isFine { throw ExitCode(1) }
    }

    private func values() throws -> ServeValues {
        let flags = ["log": log, "log-monitoring": logMonitoring, "store": store]
        return try ServeValues(flags: flags.compactMapValues { $0.map { [$0] } }, config: config)
    }

    private static func check(_ engines: ClusterEngines) async throws -> EngineCheck {
        #if TRIBUTARY_CLUSTER
        // Servers that do not answer are findings.
        let connection = try? NATSConnection(servers: engines.log, name: "tributary cluster check")
        defer { connection?.close() }
        return await Waiting.during("the answers of the engines") { await engines.check(connection) }
        #else
        throw ClusterEngines.notBuilt
        #endif
    }

    /// The findings for people: a table, and what to do.
    static func lines(_ check: EngineCheck) -> [String] {
        let rows = check.findings.map { finding in
            [
                finding.engine.rawValue, finding.place.printable, finding.setting.printable, Self.short(finding.found),
                finding.verdict.rawValue,
            ]
        }
        let table = TextTable.lines(["engine", "where", "setting", "found", "verdict"], rows, texts: 5).map {
            String($0.reversed().drop { $0 == " " }.reversed())
        }
        let advice = check.findings.filter { $0.verdict != .fine }.map { finding in
            "\(finding.verdict.rawValue): \(finding.sentence.printable)"
        }
        return table + (advice.isEmpty ? ["", "all is fine"] : [""] + advice)
    }

    /// A table has lines for people to look at; the whole text is below it.
    private static func short(_ text: String) -> String {
        let text = text.printable
        return text.count <= 60 ? text : text.prefix(57) + "…"
    }
}
