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
    @Flag(help: "Kill nodes, and do nothing else: how long takeovers take while all engines run.")
    var onlyNodes = false

    /// Servers of NATS want more than the streams reserve. Only what is used takes memory.
    private static let diskMegabytes = 16_384

    func run() async throws {
        let seed = seed ?? UInt64.random(in: 0..<1_000_000)
        print("cluster-test: seed=\(seed)\(plant.map { " plant=\($0.rawValue)" } ?? "")")
        // A run takes minutes, and whoever waits wants to see the seed.
        fflush(nil)
        let disk = onlyNodes || plant != nil ? nil : Self.disk()
        let plan = plan(seed, hasDisks: disk != nil)
        let nats = try await NATSEngines(diskMegabytes: disk)
        // Merges would hide what was stored twice.
        let stores = try await ClickHouseEngines(replicas: 3, merges: false, diskMegabytes: disk)
        let folder = try EngineFolder()
        let nodes = try await TestNodes(
            in: folder, nats: nats.addresses, stores: stores.addresses, plant: plant, connections: devices)
        let connection = try NATSConnection(servers: nats.addresses, name: "driver")
        let log = try await JetStreamLog(
            connection, name: ClusterTestNames.log, partitions: ClusterTestNames.partitions,
            bytes: ClusterTestNames.bytes)
        let places = try await JetStreamPlaces(connection, bucket: ClusterTestNames.places)
        let sending = Devices(nodes.doors, seed: seed)
        let watch = TakeoverWatch(places, partitions: ClusterTestNames.partitions)
        let watching = Task { await watch.run() }
        let manager = ServiceManager(nats.servers + stores.servers + [stores.zooKeeper])
        let managing = Task { await manager.run() }
        async let sent: Void = sending.run(count: devices)
        try await Chaos(nats: nats, stores: stores, nodes: nodes.processes, watch: watch).run(plan)
        sending.end()
        await sent
        try await Settlement(log: log, places: places, nodes: nodes).wait()
        watching.cancel()
        let checks = try await compare(stores, sending)
        managing.cancel()
        if manager.restarts > 0 { print("cluster-test: \(manager.restarts) engines ended by themselves") }
        try nodes.checkThatNoneEnded()
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
            kinds: onlyNodes || plant != nil ? DisturbancePlan.onlyNodes : kinds,
            servers: [.node: TestNodes.count, .nats: 3, .store: 3, .zooKeeper: 1])
    }

    /// Compares each replica, when it has all that the others have.
    private func compare(_ stores: ClickHouseEngines, _ sent: Devices) async throws -> [StoredCheck] {
        var checks: [StoredCheck] = []
        for (index, address) in stores.addresses.enumerated() {
            _ = try await StoredCheck.ask(address, "SYSTEM SYNC REPLICA \(ClusterTestNames.database).rows")
            let check = try await StoredCheck(
                address, ClusterTestNames.database, sent, partitions: ClusterTestNames.partitions)
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
        print(
            "cluster-test: \(sent.repeated) batches sent again, \(sent.refused) requests refused, "
                + "\(sent.unanswered) not answered")
        for (status, count) in sent.unexpected.sorted(by: { $0.key < $1.key }) {
            print("cluster-test: \(count) requests got the status \(status)")
        }
        for line in watch.report(plan) { print("cluster-test: \(line)") }
        print(
            "cluster-test: kills=\(done.kills) acknowledged=\(batches * Devices.events) lost=\(worst(\.lost)) "
                + "doubled=\(worst(\.doubled)) reordered=\(worst(\.reordered))")
        if plant == nil, batches == 0 || done.kills == 0 || !isClean || !sent.unexpected.isEmpty { throw ExitCode(1) }
        if plant != nil, isClean { throw ExitCode(1) }
    }
}
