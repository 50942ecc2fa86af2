import ArgumentParser
import ClusterTestKit
import Foundation
import TributaryJSON

/// The nodes of the cluster, each a process of its own with a port that it keeps.
struct TestNodes {
    let processes: [EngineProcess]
    let doors: NodeClients

    static let count = 3

    /// The path of this program, independent of the current folder.
    private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).path
    /// The program that runs live plugins for nodes, when it was built as well.
    private static let scripts: String? = {
        let path = URL(fileURLWithPath: program).deletingLastPathComponent().appendingPathComponent("tributary").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()
    private static let plugin = """
        class Mark extends LivePlugin {
          constructor() { super(LivePluginType.enrichment, null); }
          track(event) { event.event = "\(ClusterTestNames.prefix) " + event.event; return event; }
        }
        analytics.add(new Mark());
        """
    /// Whether the nodes take events through a live plugin.
    let hasScripts: Bool

    /// Starts the nodes, makes a source, and waits until all of them know it.
    /// - Parameters:
    ///   - older: this program in an older version. A node takes turns with it at each start, and the first start is its.
    ///   - machines: where the nodes run.
    ///   - connections: the number of clients.
    init(
        in folder: EngineFolder, older: String?, on machines: [EngineMachine], nats: [String], stores: [String],
        plant: PlantedFault?, connections: Int
    ) async throws {
        // An older version may not store what a newer one takes through scripts.
        hasScripts = older == nil && Self.scripts != nil
        let ports = try EngineSockets.freePorts(Self.count)
        doors = NodeClients(zip(machines, ports).map { "http://\($0.door):\($1)" }, connections: connections)
        var processes: [EngineProcess] = []
        for (index, (machine, port)) in zip(machines, ports).enumerated() {
            let path = try folder.folder(ClusterTestNames.node(index))
            var arguments = ["node", "--nats"] + nats + ["--store"] + stores
            arguments += ["--name", ClusterTestNames.node(index), "--host", machine.door, "--port", "\(port)"]
            arguments += ["--data", "\(path)/data"] + (plant.map { ["--plant", $0.rawValue] } ?? [])
            if hasScripts, let scripts = Self.scripts { arguments += ["--program", scripts] }
            let newer = [Self.program] + arguments
            let commands = older.map { [Self.inEmptyFolder("\(path)/data", [$0] + arguments), newer] } ?? [newer]
            processes.append(try EngineProcess(inTurn: commands, in: path, on: machine))
            // The settings of the first one become those of the cluster.
            if index == 0 { try await processes[0].waitUntilReady { [doors] in await Self.isReady(0, doors) } }
        }
        self.processes = processes
        let source = JSON.object(["writeKey": .string(ClusterTestNames.writeKey)]).encoded()
        guard try await doors.ask(0, "/api/sources", sending: source).status == 201 else {
            print("cluster-test: node 0 does not make the source of the test")
            throw ExitCode(1)
        }
        for (index, process) in processes.enumerated() {
            try await process.waitUntilReady { [doors] in await Self.knowsSource(index, doors) }
        }
        if hasScripts { try await deploy() }
    }

    /// Deploys a live plugin for the workspace, and waits until all nodes follow.
    private func deploy() async throws {
        let path = "/api/sources/\(ClusterTestNames.writeKey)/live-plugins"
        let answer = try await doors.ask(
            0, "\(path)?where=workspace", sending: Array(Self.plugin.utf8), replaces: true)
        guard answer.status == 200 else {
            print("cluster-test: node 0 does not deploy the live plugin of the test: \(answer)")
            throw ExitCode(1)
        }
        for (index, process) in processes.enumerated() {
            try await process.waitUntilReady { [doors] in
                (try? await doors.ask(index, path).body["current"]?.intValue) == 1
            }
        }
    }

    /// A command that begins with an empty data folder: an older version may not be able to open the folder of a newer one. The
    /// settings come from the cluster's log again.
    private static func inEmptyFolder(_ data: String, _ command: [String]) -> [String] {
        ["/bin/sh", "-c", #"rm -rf "$0" && exec "$@""#, data] + command
    }

    /// How often nodes were started in the older and in the newer version.
    var startsByVersion: String {
        let older = processes.reduce(0) { $0 + ($1.starts + 1) / 2 }
        return "\(older) and \(processes.reduce(0) { $0 + $1.starts } - older)"
    }

    private static func isReady(_ node: Int, _ doors: NodeClients) async -> Bool {
        (try? await doors.ask(node, "/ready").status) == 200
    }

    private static func knowsSource(_ node: Int, _ doors: NodeClients) async -> Bool {
        let sources = try? await doors.ask(node, "/api/sources").body["sources"]?.elements
        return sources?.contains { $0["writeKey"]?.stringValue == ClusterTestNames.writeKey } ?? false
    }

    /// Waits until every node says that it is ready and follows the settings.
    /// - Throws: `ExitCode` when one does not after a minute.
    func waitUntilWell() async throws {
        try checkThatNoneEnded()
        for index in processes.indices {
            let end = ContinuousClock.now + .seconds(60)
            while await !isWell(index) {
                guard ContinuousClock.now < end else {
                    print("cluster-test: node \(index) is not ready a minute after everything was set right")
                    printLog(of: index)
                    throw ExitCode(1)
                }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    private func isWell(_ node: Int) async -> Bool {
        guard await Self.isReady(node, doors), let cluster = try? await doors.ask(node, "/api/cluster").body
        else { return false }
        return cluster["settings"]?["state"]?.stringValue == "following"
    }

    /// Whether a node answers, with any status.
    func answers(_ node: Int) async -> Bool { (try? await doors.ask(node, "/ready")) != nil }

    /// - Throws: `ExitCode` when a node ended that the test did not kill.
    func checkThatNoneEnded() throws {
        guard let index = processes.firstIndex(where: \.hasEndedByItself) else { return }
        print("cluster-test: node \(index) ended by itself")
        printLog(of: index)
        throw ExitCode(1)
    }

    /// Prints the end of a node's log.
    func printLog(of index: Int) {
        let text = (try? String(contentsOfFile: processes[index].log, encoding: .utf8)) ?? "no log"
        print("cluster-test: the end of \(processes[index].log):\n\(text.suffix(1_500))")
    }
}
