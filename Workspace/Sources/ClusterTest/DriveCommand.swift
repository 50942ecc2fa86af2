import ArgumentParser
import ClusterNATS
import ClusterTestKit
import Foundation
import WorkspaceServer

/// Starts everything, kills what it can, and compares.
struct DriveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drive", abstract: "Start a cluster, disturb its parts at random, and compare what it holds.")

    @Option(help: "How long parts are disturbed.") var minutes = 1.0
    @Option(help: "What decides what is disturbed when. By chance unless given.") var seed: UInt64?
    @Option(help: "Plant a mistake, which has to be found.") var plant: PlantedFault?
    @Option(help: "Clients that send.") var devices = 40
    @Flag(help: "Kill workers, and do nothing else: how long takeovers take while all engines run.")
    var onlyWorkers = false

    private static let partitions = 4
    private static let workers = 3
    private static let database = "cluster_test"
    /// Milliseconds. It is short, so that some batches that are sent again are looked up in the store.
    private static let window = 60_000
    /// Servers of NATS want more than the streams reserve. Only what is used takes memory.
    private static let diskMegabytes = 16_384
    /// This program, whatever the current folder is.
    private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).path

    func run() async throws {
        let seed = seed ?? UInt64.random(in: 0..<1_000_000)
        print("cluster-test: seed=\(seed)\(plant.map { " plant=\($0.rawValue)" } ?? "")")
        // A run takes minutes, and whoever waits wants to see the seed.
        fflush(nil)
        let disk = onlyWorkers || plant != nil ? nil : Self.disk()
        let plan = plan(seed, hasDisks: disk != nil)
        let nats = try await NATSEngines(diskMegabytes: disk)
        // Merges would hide what was stored twice.
        let stores = try await ClickHouseEngines(replicas: 3, merges: false, diskMegabytes: disk)
        let connection = try NATSConnection(servers: nats.addresses, name: "driver")
        let log = try await JetStreamLog(
            connection, name: ClusterTestNames.log, partitions: Self.partitions, bytes: ClusterTestNames.bytes)
        let places = try await JetStreamPlaces(connection, bucket: ClusterTestNames.bucket)
        let folder = try EngineFolder()
        let workers = try (0..<Self.workers).map { try worker($0, in: folder, nats.addresses, stores.addresses) }
        let sending = Devices(log, seed: seed)
        let watch = TakeoverWatch(places, partitions: Self.partitions)
        let watching = Task { await watch.run() }
        let manager = ServiceManager(nats.servers + stores.servers + [stores.zooKeeper])
        let managing = Task { await manager.run() }
        async let sent: Void = sending.run(count: devices)
        try await Chaos(nats: nats, stores: stores, workers: workers, watch: watch).run(plan)
        sending.end()
        await sent
        try await settle(log, places, workers)
        watching.cancel()
        let checks = try await compare(stores, sending)
        managing.cancel()
        if manager.restarts > 0 { print("cluster-test: \(manager.restarts) engines ended by themselves") }
        if let index = workers.firstIndex(where: \.hasEndedByItself) {
            print("cluster-test: worker \(index) ended by itself; the end of \(workers[index].log):")
            print(((try? String(contentsOfFile: workers[index].log, encoding: .utf8)) ?? "no log").suffix(1_500))
            throw ExitCode(1)
        }
        try conclude(plan, sending, watch, checks)
    }

    /// The size of the disks that are filled; nil when none can be made, which is said.
    private static func disk() -> Int? {
        do {
            let folder = try EngineFolder()
            _ = try EngineDisk(at: folder.folder("disk"), megabytes: 1)
            return diskMegabytes
        } catch {
            print("cluster-test: no disk is filled: \(error)")
            return nil
        }
    }

    private func plan(_ seed: UInt64, hasDisks: Bool) -> DisturbancePlan {
        let kinds = DisturbancePlan.all.filter { kind in
            if case .fill = kind { return hasDisks }
            return true
        }
        return DisturbancePlan(
            seed: seed, seconds: minutes * 60,
            kinds: onlyWorkers || plant != nil ? DisturbancePlan.onlyWorkers : kinds,
            servers: [.worker: Self.workers, .nats: 3, .store: 3, .zooKeeper: 1])
    }

    private func worker(
        _ index: Int, in folder: EngineFolder, _ nats: [String], _ stores: [String]
    ) throws -> EngineProcess {
        let name = ClusterTestNames.worker(index)
        var command = [Self.program, "worker", "--nats"] + nats + ["--store"] + stores
        command += ["--database", Self.database, "--partitions", "\(Self.partitions)", "--most", "2"]
        command += ["--window", "\(Self.window)", "--name", name]
        command += plant.map { ["--plant", $0.rawValue] } ?? []
        return try EngineProcess(command, in: folder.folder(name))
    }

    /// Waits until the place of each partition is at the end of the log. Gives up when one has not moved for three minutes.
    private func settle(_ log: JetStreamLog, _ places: JetStreamPlaces, _ workers: [EngineProcess]) async throws {
        for partition in 0..<Self.partitions {
            var end = ContinuousClock.now + .seconds(180)
            var through: UInt64?
            while true {
                // Servers that were just started may not answer yet.
                let place = try? await places.place(of: partition)?.place
                let last = try? await log.standing(of: partition).last
                if let place, place.through == last, place.announced == nil { break }
                if let place, place.through != through {
                    (through, end) = (place.through, ContinuousClock.now + .seconds(180))
                }
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

    /// Compares each replica, when it has all that the others have.
    private func compare(_ stores: ClickHouseEngines, _ sent: Devices) async throws -> [StoredCheck] {
        var checks: [StoredCheck] = []
        for (index, address) in stores.addresses.enumerated() {
            _ = try await StoredCheck.ask(address, "SYSTEM SYNC REPLICA \(Self.database).rows")
            let check = try await StoredCheck(address, Self.database, sent, partitions: Self.partitions)
            print("cluster-test: replica \(index) has \(check.report)")
            checks.append(check)
        }
        return checks
    }

    /// Says what was done and what was found. The worst replica counts.
    private func conclude(
        _ plan: DisturbancePlan, _ sent: Devices, _ watch: TakeoverWatch, _ checks: [StoredCheck]
    ) throws {
        let done = DisturbanceCount(plan.disturbances)
        let isClean = checks.allSatisfy(\.isClean)
        // Where somebody looks for the reason.
        if plant == nil, !isClean { for disturbance in plan.disturbances { print("cluster-test: \(disturbance)") } }
        func worst(_ figure: KeyPath<StoredCheck, Int>) -> Int { checks.map { $0[keyPath: figure] }.max() ?? 0 }
        let batches = sent.acknowledged.values.reduce(0, +)
        print("cluster-test: \(done.summary)")
        print("cluster-test: \(sent.repeated) batches sent again, \(sent.refused) requests not acknowledged")
        for line in watch.report(plan) { print("cluster-test: \(line)") }
        print(
            "cluster-test: kills=\(done.kills) acknowledged=\(batches * Devices.events) lost=\(worst(\.lost)) "
                + "doubled=\(worst(\.doubled)) reordered=\(worst(\.reordered))")
        if plant == nil, batches == 0 || done.kills == 0 || !isClean { throw ExitCode(1) }
        if plant != nil, isClean { throw ExitCode(1) }
    }
}
