import ArgumentParser
import ClusterNATS
import ClusterTestKit
import Foundation
import WorkspaceServer

/// Starts everything, kills what it can, and compares.
struct DriveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drive", abstract: "Start a cluster, kill its parts at random, and compare what it holds.")

    @Option(help: "How long parts are killed.") var minutes = 1.0
    @Option(help: "What decides what is killed when. By chance unless given.") var seed: UInt64?
    @Option(help: "Plant a mistake, which has to be found.") var plant: PlantedFault?
    @Option(help: "Clients that send.") var devices = 40

    private static let partitions = 4
    private static let workers = 3
    /// This program, whatever the current folder is.
    private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).path

    func run() async throws {
        let seed = seed ?? UInt64.random(in: 0..<1_000_000)
        print("cluster-test: seed=\(seed)\(plant.map { " plant=\($0.rawValue)" } ?? "")")
        let nats = try await NATSEngines()
        // Merges would hide what was stored twice.
        let stores = try await ClickHouseEngines(replicas: 3, merges: false)
        let database = "cluster_test"
        let connection = try NATSConnection(servers: nats.addresses, name: "driver")
        let log = try await JetStreamLog(
            connection, name: ClusterTestNames.log, partitions: Self.partitions, bytes: ClusterTestNames.bytes)
        let places = try await JetStreamPlaces(connection, bucket: ClusterTestNames.bucket)
        let folder = try EngineFolder()
        let workers = try (0..<Self.workers).map { index in
            try worker(index, in: folder.folder("worker-\(index)"), nats.addresses, stores.addresses, database)
        }
        let sending = Devices(log, seed: seed)
        async let sent: Void = sending.run(count: devices)
        var chaos = Chaos(nats: nats, stores: stores, workers: workers, seed: seed, onlyWorkers: plant != nil)
        try await chaos.run(seconds: minutes * 60)
        sending.end()
        await sent
        try await settle(log, places, workers)
        let check = try await compare(stores, database, sending)
        let batches = sending.acknowledged.values.reduce(0, +)
        print("cluster-test: \(chaos.report), \(sending.repeated) batches sent again")
        let isClean = check.lost == 0 && check.doubled == 0 && check.reordered == 0
        print(
            "cluster-test: kills=\(chaos.kills) acknowledged=\(batches * Devices.events) lost=\(check.lost) "
                + "doubled=\(check.doubled) reordered=\(check.reordered)")
        if plant == nil, batches == 0 || chaos.kills == 0 || !isClean { throw ExitCode(1) }
        if plant != nil, isClean { throw ExitCode(1) }
    }

    private func worker(
        _ index: Int, in folder: String, _ nats: [String], _ stores: [String], _ database: String
    ) throws -> EngineProcess {
        var command = [Self.program, "worker", "--nats"] + nats + ["--store"] + stores
        command += ["--database", database, "--partitions", "\(Self.partitions)", "--most", "2"]
        command += ["--name", "worker-\(index)"] + (plant.map { ["--plant", $0.rawValue] } ?? [])
        return try EngineProcess(command, in: folder)
    }

    /// Waits until the place of each partition is at the end of the log.
    private func settle(_ log: JetStreamLog, _ places: JetStreamPlaces, _ workers: [EngineProcess]) async throws {
        let end = ContinuousClock.now + .seconds(180)
        for partition in 0..<Self.partitions {
            while true {
                // Servers that were just started may not answer yet.
                let place = try? await places.place(of: partition)?.place
                let last = try? await log.standing(of: partition).last
                if let place, place.through == last, place.announced == nil { break }
                guard ContinuousClock.now < end else {
                    print(
                        "cluster-test: partition \(partition) is at \(place.map { "\($0)" } ?? "nothing") of \(last ?? 0)"
                    )
                    for worker in workers {
                        let text = (try? String(contentsOfFile: worker.log, encoding: .utf8)) ?? "no log"
                        print("cluster-test: the end of \(worker.log):\n\(text.suffix(1_500))")
                    }
                    throw ExitCode(1)
                }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// Compares each replica, when it has all that the others have. The worst of each figure counts.
    private func compare(
        _ stores: ClickHouseEngines, _ database: String, _ devices: Devices
    ) async throws -> (lost: Int, doubled: Int, reordered: Int) {
        var worst = (lost: 0, doubled: 0, reordered: 0)
        for (index, address) in stores.addresses.enumerated() {
            _ = try await StoredCheck.ask(address, "SYSTEM SYNC REPLICA \(database).rows")
            let check = try await StoredCheck(
                address, database, acknowledged: devices.acknowledged, partitions: Self.partitions)
            print(
                "cluster-test: replica \(index) has \(check.events) events, lost=\(check.lost) doubled=\(check.doubled) "
                    + "reordered=\(check.reordered)")
            worst = (
                max(worst.lost, check.lost), max(worst.doubled, check.doubled), max(worst.reordered, check.reordered)
            )
        }
        return worst
    }
}
