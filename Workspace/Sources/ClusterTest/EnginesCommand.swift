import ArgumentParser
import ClusterTestKit
import Foundation

/// Starts the engines of a cluster, for scripts that play with one.
struct EnginesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engines",
        abstract:
            "Start three servers of NATS and three of ClickHouse, print their addresses, and end them with the input.",
        discussion: """
            Reads lines from the input: `kill nats 0`, `start store 2`. Each is answered with `done`. Everything ends when \
            the input ends. Where an engine is not installed, the only line begins with `missing`.
            """)

    func run() async throws {
        if let missing = EnginePackages.missing {
            say("missing \(missing)")
            return
        }
        async let logs = NATSEngines()
        async let stores = ClickHouseEngines(replicas: 3, password: Self.password)
        let (nats, clickHouse) = try await (logs, stores)
        let login = "nats://\(NATSEngines.login)@"
        say("log \(login)\(nats.addresses.map { $0.replacing(login, with: "") }.joined(separator: ","))")
        let replicas = clickHouse.addresses.map { $0.replacing("http://", with: "") }.joined(separator: ",")
        say("store clickhouse://default:\(Self.password)@\(replicas)")
        say("monitoring \(nats.monitoring.joined(separator: ","))")
        while let line = readLine() {
            let words = line.split(separator: " ")
            guard words.count == 3, let index = Int(words[2]), (0..<3).contains(index) else {
                say("not understood: \(line)")
                continue
            }
            let engine = words[1] == "nats" ? nats.servers[index] : clickHouse.servers[index]
            if words[0] == "kill" { engine.kill() } else { try engine.start() }
            say("done")
        }
    }

    private static let password = "only-for-scripts"

    /// Each line is written at once, also to a pipe.
    private func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
}
