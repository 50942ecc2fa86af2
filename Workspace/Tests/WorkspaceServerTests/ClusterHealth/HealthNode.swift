import ClusterTestKit
import Foundation
import Logging
import Synchronization
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

/// A node of a cluster, as far as its settings, health reports and roll-outs go.
final class HealthNode: Sendable {
    let settings: SettingsNode
    let health: HealthLog
    let metrics = ServerMetrics()
    private let inbox = HealthInbox()
    private let clock: TestClock
    private let isCoordinator: Mutex<Bool>
    private let tasks: Mutex<[Task<Void, any Error>]> = Mutex([])

    /// - Parameters:
    ///   - follows: whether it applies what other nodes change by itself.
    init(
        _ name: String, _ folder: TemporaryFolder, changes: MemoryChangeLog, reports: any EventLog, clock: TestClock,
        isCoordinator: Bool = false, follows: Bool = true
    ) async throws {
        settings = try SettingsNode(folder, changes) { clock.now }
        health = HealthLog(log: reports, node: name)
        self.clock = clock
        self.isCoordinator = Mutex(isCoordinator)
        await settings.look()
        let (store, sources) = (settings.store, settings.sources)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let steps = RolloutSteps(
            store: store, sources: sources, metrics: metrics,
            isCoordinator: { [weak self] in self?.isCoordinator.withLock { $0 } ?? false }, now: { clock.now },
            logger: logger)
        let sender = HealthSender(store: store, inbox: inbox, health: health, logger: logger)
        let follower = HealthFollower(
            store: store, sources: sources, health: health, steps: steps, metrics: metrics,
            pause: .milliseconds(5), rolloutPause: .milliseconds(5), now: { clock.now }, logger: logger,
            failures: RepeatedFailures(now: { clock.now }))
        var tasks = [Task { try await sender.run() }, Task { try await follower.run() }]
        if follows { tasks.append(Task { [settings] in await settings.settings.follow() }) }
        self.tasks.withLock { [tasks] in $0 = tasks }
    }

    func setCoordinator(_ isCoordinator: Bool) { self.isCoordinator.withLock { $0 = isCoordinator } }

    /// Ends the node.
    func stop() async throws {
        let tasks = tasks.withLock { $0 }
        for task in tasks { task.cancel() }
        for task in tasks { try await task.value }
        try settings.close()
    }

    /// Takes a report as the route does, and returns when the device gets its answer.
    func report(_ device: String, _ number: Int = 1, version: Int = 1, faulty: Int = 0) async throws {
        let body: JSON = [
            "instanceId": .string(device), "number": .number(number),
            "versions": [
                ["version": .string("\(version)"), "events": 100, "faulty": .number(faulty), "microseconds": 30_000]
            ],
            "delivery": ["tracked": 100],
        ]
        try await inbox.store(
            DeviceReport(body.encoded()), of: settings.sources.known("WK"), receivedAt: clock.now)
    }

    /// What the page shows.
    func sums(patience: Duration = .seconds(60)) async throws -> JSON {
        let routes = LiveHealthRoutes(
            sources: settings.sources, store: settings.store,
            cover: { [health] in await health.cover(within: patience) }, now: { [clock] in clock.now })
        return try await routes.health(of: "WK", hours: 24)
    }

    /// How many reports about delivery the page shows.
    func count(patience: Duration = .seconds(60)) async throws -> Int {
        try await sums(patience: patience)["delivery"]?["reports"]?.intValue ?? 0
    }

    // MARK: Roll-outs

    /// Deploys the second version in stages.
    func beginRollout() async throws {
        let plan = try RolloutPlan(stages: [10, 50, 100], hold: 0, minimumDevices: 20, minimumEvents: 500)
        _ = try await settings.sources.deploy(
            Data("2".utf8), sha256: "2", signature: nil, percentage: 10, plan: plan, to: "WK")
    }

    /// Devices of the second version report, and as many of the first one.
    func report(devices: Range<Int>, _ number: Int = 1, faulty: Int = 0) async throws {
        for device in devices {
            try await report("old-\(device)", number)
            try await report("new-\(device)", number, version: 2, faulty: faulty)
        }
    }

    /// Waits until the roll-out is as the test expects, and this node knows its version, as a device sees it.
    @discardableResult
    func until(_ isExpected: (RolloutRecord) -> Bool) async throws -> RolloutRecord {
        while true {
            let source = try await settings.sources.known("WK")
            if let record = try await settings.store.rollout(.livePlugins, of: source.id), isExpected(record),
                let newest = source.newest(.livePlugins)?.version, newest >= record.version
            {
                return record
            }
            await Task.yield()
        }
    }
}
