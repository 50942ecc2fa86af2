import ClusterTestKit

/// Carries out a plan: kills, stops, fills and cuts off the parts of a cluster, and sets them right again.
struct Chaos {
    let nats: NATSEngines
    let stores: ClickHouseEngines
    let nodes: TestNodes
    /// Nil when nothing is cut off.
    let network: EngineNetwork?
    let watch: TakeoverWatch
    let cuts: CutWatch

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
        let time = Duration.milliseconds(disturbance.lasts)
        if case .cut(let part) = disturbance.kind { return try await cut(part, disturbance.server, for: time) }
        if case .separate = disturbance.kind { return try await separate(disturbance.server, for: time) }
        let all = processes(disturbance.kind.part)
        guard !all.isEmpty else { return }
        let one = all[disturbance.server % all.count]
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
        case .cut, .separate: break
        }
    }

    /// ZooKeeper has the last machine.
    private func cut(_ part: Disturbance.Part, _ server: Int, for time: Duration) async throws {
        guard let network else { return }
        guard part == .machine else {
            try network.cut(network.machines.count - 1)
            try await Task.sleep(for: time)
            return try network.join(network.machines.count - 1)
        }
        let wasUp = await nodes.answers(server)
        try network.cut(server)
        cuts.begin(server, wasUp: wasUp)
        watch.lose(server)
        try await Task.sleep(for: time)
        watch.goOn(server)
        cuts.end(server)
        try network.join(server)
    }

    private func separate(_ machine: Int, for time: Duration) async throws {
        guard let network else { return }
        let next = (machine + 1) % TestNodes.count
        try network.separate(machine, from: next)
        try await Task.sleep(for: time)
        try network.unite(machine, with: next)
    }

    private func processes(_ part: Disturbance.Part) -> [EngineProcess] {
        switch part {
        case .node: nodes.processes
        case .nats: nats.servers
        case .store: stores.servers
        case .zooKeeper: [stores.zooKeeper]
        case .machine: []
        }
    }

    private func kill(_ processes: [EngineProcess], for time: Duration) async throws {
        for process in processes { process.kill() }
        try await Task.sleep(for: time)
        for process in processes { try process.start() }
    }
}
