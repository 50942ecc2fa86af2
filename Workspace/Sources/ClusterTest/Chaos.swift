import ClusterTestKit

/// Kills the parts of a cluster with SIGKILL, and starts them again after a while. A seed decides what and when.
struct Chaos {
    private enum Part: String, CaseIterable {
        case nats, store, worker, allOfNATS = "all of NATS", zooKeeper = "ZooKeeper", stopped = "stopped workers"
    }

    private let nats: NATSEngines
    private let stores: ClickHouseEngines
    private let workers: [EngineProcess]
    private let onlyWorkers: Bool
    private var random: SeededGenerator
    private var counts: [Part: Int] = [:]

    /// - Parameter onlyWorkers: kills workers and nothing else.
    init(
        nats: NATSEngines, stores: ClickHouseEngines, workers: [EngineProcess], seed: UInt64, onlyWorkers: Bool
    ) {
        (self.nats, self.stores, self.workers, self.onlyWorkers) = (nats, stores, workers, onlyWorkers)
        random = SeededGenerator(seed: seed)
    }

    /// Processes that were killed.
    var kills: Int {
        counts.reduce(0) { $0 + ($1.key == .stopped ? 0 : $1.key == .allOfNATS ? 3 * $1.value : $1.value) }
    }

    /// What was killed how often.
    var report: String {
        Part.allCases.compactMap { part in counts[part].map { "\(part.rawValue) \($0)" } }.joined(separator: ", ")
    }

    mutating func run(seconds: Double) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        // Events have to flow before.
        try await pause(2_000...3_000)
        while ContinuousClock.now < end {
            // Ordinary deaths come more often than those of everything.
            let parts: [Part] = [
                .nats, .nats, .store, .store, .worker, .worker, .worker, .allOfNATS, .zooKeeper, .stopped,
            ]
            try await kill(onlyWorkers ? .worker : parts.randomElement(using: &random) ?? .worker)
            try await pause(onlyWorkers ? 1_000...3_000 : 1_000...4_000)
        }
    }

    private mutating func kill(_ part: Part) async throws {
        counts[part, default: 0] += 1
        switch part {
        case .nats: try await kill(pick(nats.servers), for: 1_000...3_000)
        case .store: try await kill(pick(stores.servers), for: 1_000...3_000)
        case .worker: try await kill(pick(workers), for: 0...500)
        case .zooKeeper: try await kill([stores.zooKeeper], for: 1_000...2_000)
        case .allOfNATS: try await kill(nats.servers, for: 500...2_000)
        case .stopped:
            // Longer than it takes to be replaced.
            let worker = pick(workers)
            worker.forEach { $0.suspend(true) }
            try await pause(5_000...9_000)
            worker.forEach { $0.suspend(false) }
        }
    }

    private mutating func pick(_ processes: [EngineProcess]) -> [EngineProcess] {
        [processes[Int.random(in: processes.indices, using: &random)]]
    }

    private mutating func kill(_ processes: [EngineProcess], for time: ClosedRange<Int>) async throws {
        processes.forEach { $0.kill() }
        try await pause(time)
        for process in processes { try process.start() }
    }

    private mutating func pause(_ time: ClosedRange<Int>) async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: time, using: &random)))
    }
}
