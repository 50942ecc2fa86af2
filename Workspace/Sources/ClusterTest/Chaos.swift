import ClusterTestKit

/// Carries out a plan: kills, stops and fills the parts of a cluster, and sets them right again.
struct Chaos {
    let nats: NATSEngines
    let stores: ClickHouseEngines
    let nodes: [EngineProcess]
    let watch: TakeoverWatch

    /// Returns when everything is right again.
    func run(_ plan: DisturbancePlan) async throws {
        let began = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for disturbance in plan.disturbances {
                try await Task.sleep(until: began + .milliseconds(disturbance.at))
                group.addTask { try await carryOut(disturbance) }
            }
            try await group.waitForAll()
        }
    }

    private func carryOut(_ disturbance: Disturbance) async throws {
        let all = processes(disturbance.kind.part)
        let one = all[disturbance.server % all.count]
        let time = Duration.milliseconds(disturbance.lasts)
        switch disturbance.kind {
        case .kill(.node):
            one.kill()
            watch.lose(disturbance.server)
            try await Task.sleep(for: time)
            try one.start()
        case .kill: try await kill([one], for: time)
        case .killAllLogs: try await kill(all, for: time)
        case .stop(let part):
            one.suspend(true)
            if part == .node { watch.lose(disturbance.server) }
            try await Task.sleep(for: time)
            if part == .node { watch.goOn(disturbance.server) }
            one.suspend(false)
        case .fill(let part):
            let disk = part == .nats ? nats.disk : stores.disk
            try disk?.fill()
            try await Task.sleep(for: time)
            try disk?.empty()
            // A server of the log does not use a disk again that was full. ClickHouse does.
            if part == .nats {
                one.kill()
                try one.start()
            }
        }
    }

    private func processes(_ part: Disturbance.Part) -> [EngineProcess] {
        switch part {
        case .node: nodes
        case .nats: nats.servers
        case .store: stores.servers
        case .zooKeeper: [stores.zooKeeper]
        }
    }

    private func kill(_ processes: [EngineProcess], for time: Duration) async throws {
        for process in processes { process.kill() }
        try await Task.sleep(for: time)
        for process in processes { try process.start() }
    }
}
