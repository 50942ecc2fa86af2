import ArgumentParser
import ClusterNATS
import ClusterTestKit
import Foundation
import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// Starts a cluster, kills its parts, and compares the stored events with the acknowledged ones.
struct DriveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drive", abstract: "Start a cluster, disturb its parts at random, and compare what it holds.")

    @Option(help: "How long parts are disturbed.") var minutes = 1.0
    @Option(help: "What decides what is disturbed when. By chance unless given.") var seed: UInt64?
    @Option(help: "Plant a mistake, which has to be found.") var plant: PlantedFault?
    @Option(help: "Clients that send.") var devices = 40
    @Option(help: "This program in an older version: nodes start with it first, then take turns at each start.")
    var older: String?
    @Flag(help: "Kill nodes, and do nothing else: how long takeovers take while all engines run.")
    var onlyNodes = false
    @Option(help: "Seconds between the end of a disturbance and the next, at least.") var pause = 1
    @Flag(help: "The program was started in a network namespace of its own, and may make and divide a network there.")
    var ownNetwork = false

    func run() async throws {
        let seed = seed ?? UInt64.random(in: 0..<1_000_000)
        print("cluster-test: seed=\(seed)\(plant.map { " plant=\($0.rawValue)" } ?? "")")
        // A run takes minutes, and its user wants to see the seed at once.
        fflush(nil)
        let environment = TestEnvironment(for: kinds, hasOwnNetwork: ownNetwork)
        let plan = DisturbancePlan(
            seed: seed, seconds: minutes * 60, kinds: kinds.filter(environment.allows),
            servers: [.node: TestNodes.count, .nats: 3, .store: 3, .zooKeeper: 1, .machine: 3], pause: pause * 1_000)
        let nats = try await NATSEngines(on: environment.machines, diskMegabytes: environment.diskMegabytes)
        // Merges would hide rows that were stored twice.
        let stores = try await ClickHouseEngines(
            replicas: 3, on: environment.machines, coordinator: environment.coordinator, merges: false,
            diskMegabytes: environment.diskMegabytes)
        let folder = try EngineFolder()
        let nodes = try await TestNodes(
            in: folder, older: older, on: environment.machines, nats: nats.addresses, stores: stores.addresses,
            plant: plant,
            connections: devices)
        let connection = try NATSConnection(servers: nats.addresses, name: "driver")
        let log = try await JetStreamLog(
            connection, name: ClusterTestNames.log, partitions: ClusterTestNames.partitions,
            bytes: ClusterTestNames.bytes)
        let places = try await JetStreamLeases(connection, bucket: ClusterTestNames.places)
        let cuts = CutWatch()
        let sending = Devices(nodes.doors, cuts, seed: seed)
        let watch = TakeoverWatch(places, partitions: ClusterTestNames.partitions)
        let watching = Task { await watch.run() }
        let manager = ServiceManager(nats.servers + stores.servers + [stores.zooKeeper])
        let managing = Task { await manager.run() }
        async let sent: Void = sending.run(count: devices)
        try await Chaos(
            nats: nats, stores: stores, nodes: nodes, network: environment.network, watch: watch, cuts: cuts
        ).run(plan)
        sending.end()
        await sent
        try await Settlement(log: log, places: places, nodes: nodes).wait()
        watching.cancel()
        let checks = try await compare(stores, sending)
        managing.cancel()
        if manager.restarts > 0 { print("cluster-test: \(manager.restarts) engines ended by themselves") }
        try nodes.checkThatNoneEnded()
        if older != nil { print("cluster-test: starts of the older and the newer version: \(nodes.startsByVersion)") }
        try conclude(plan, sending, watch, cuts.accounts, checks)
        // Some may go on without scripts while the machine is busy, and not all.
        if plant == nil, nodes.hasScripts, checks.contains(where: { $0.scripted == 0 }) { throw ExitCode(1) }
    }

    /// The kinds of disturbances that this run may use.
    private var kinds: [Disturbance.Kind] {
        switch plant {
        case nil: onlyNodes ? DisturbancePlan.onlyNodes : DisturbancePlan.all
        case .noMajority: DisturbancePlan.onlyCuts
        case .noAnnouncement, .fewKnownBlocks, .placeBeforeStore: DisturbancePlan.onlyNodes
        }
    }

    /// Compares each replica, when it has the blocks of all others.
    private func compare(_ stores: ClickHouseEngines, _ sent: Devices) async throws -> [StoredCheck] {
        var checks: [StoredCheck] = []
        for (index, address) in stores.addresses.enumerated() {
            _ = try await StoredCheck.ask(address, Self.sync)
            var check = try await StoredCheck(
                address, ClusterTestNames.database, sent, partitions: ClusterTestNames.partitions)
            let parts = try await StoredCheck.strayParts(address, ClusterTestNames.database, replica: index)
            if !check.isClean, !parts.isEmpty {
                print("cluster-test: replica \(index) has \(check.report), and the parts \(parts) for itself")
                check = try await compareAfterStart(stores, index, sent)
            }
            print("cluster-test: replica \(index) has \(check.report)")
            if check.doubled > 0 {
                print("cluster-test:   \(await StoredCheck.doubles(address, ClusterTestNames.database))")
            }
            checks.append(check)
        }
        return checks
    }

    /// An insert that broke off when a replica lost ZooKeeper may leave a part that only this replica has, and that ZooKeeper
    /// does not know. Its rows are in another part as well, and queries merge them. The replica leaves the part out at its
    /// next start.
    private func compareAfterStart(
        _ stores: ClickHouseEngines, _ index: Int, _ sent: Devices
    ) async throws -> StoredCheck {
        let (server, address) = (stores.servers[index], stores.addresses[index])
        server.kill()
        try server.start()
        try await server.waitUntilReady { (try? await StoredCheck.ask(address, Self.sync)) != nil }
        return try await StoredCheck(
            address, ClusterTestNames.database, sent, partitions: ClusterTestNames.partitions)
    }

    private static let sync = "SYSTEM SYNC REPLICA \(ClusterTestNames.database).rows"

    /// Prints the disturbances and the findings. The worst replica counts.
    private func conclude(
        _ plan: DisturbancePlan, _ sent: Devices, _ watch: TakeoverWatch, _ cuts: [CutAccount], _ checks: [StoredCheck]
    ) throws {
        let done = DisturbanceCount(plan.disturbances)
        let isClean = checks.allSatisfy(\.isClean) && cuts.allSatisfy(\.faults.isEmpty)
        // The disturbances help to find the reason.
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
        for line in cuts.flatMap({ [$0.summary] + $0.faults.map { "  wrong: \($0)" } }) {
            print("cluster-test: \(line)")
        }
        for line in watch.report(plan) { print("cluster-test: \(line)") }
        print(
            "cluster-test: kills=\(done.kills) acknowledged=\(batches * Devices.events) lost=\(worst(\.lost)) "
                + "doubled=\(worst(\.doubled)) reordered=\(worst(\.reordered))")
        if plant == nil, batches == 0 || done.kills == 0 || !isClean || !sent.unexpected.isEmpty { throw ExitCode(1) }
        if plant != nil, isClean { throw ExitCode(1) }
    }
}
