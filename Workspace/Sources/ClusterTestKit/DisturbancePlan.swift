/// What is done to a cluster, and when. All of it follows from a seed.
///
/// Kinds are drawn like cards: each turn has all of them, some several times, in another order. So a run that is long
/// enough for a turn has every kind. A process that is killed is started again before the next disturbance begins. Stops
/// and full disks go on meanwhile. No process is disturbed twice at a time.
public struct DisturbancePlan: Sendable, Equatable {
    /// What is done, in the order of its beginning.
    public private(set) var disturbances: [Disturbance] = []

    /// All kinds, as often as they are in one turn.
    public static let all: [Disturbance.Kind] = [
        // Ordinary deaths come more often than those of everything.
        .kill(.node), .kill(.node), .kill(.node), .kill(.nats), .kill(.nats), .kill(.store), .kill(.store),
        .kill(.zooKeeper), .killAllLogs, .stop(.node), .stop(.node), .stop(.nats), .stop(.store),
        .stop(.zooKeeper), .fill(.nats), .fill(.store),
    ]
    /// The deaths of nodes, and nothing else.
    public static let onlyNodes: [Disturbance.Kind] = [.kill(.node)]

    /// - Parameters:
    ///   - seed: decides everything that is left to chance.
    ///   - seconds: the last disturbance begins before.
    ///   - kinds: those of one turn. Without any, nothing is done.
    ///   - servers: how many processes of each sort there are. A sort without one is not disturbed.
    public init(
        seed: UInt64, seconds: Double, kinds: [Disturbance.Kind], servers: [Disturbance.Part: Int]
    ) {
        let kinds = kinds.filter { servers[$0.part] ?? 0 > 0 }
        guard !kinds.isEmpty else { return }
        var random = SeededGenerator(seed: seed)
        var turn: [Disturbance.Kind] = []
        // When each process is left alone again.
        var free = servers.mapValues { [Int](repeating: 0, count: $0) }
        // Events have to flow before.
        var now = Int.random(in: 2_000...3_000, using: &random)
        while true {
            if turn.isEmpty { turn = kinds.shuffled(using: &random) }
            let kind = turn.removeLast()
            let until = free[kind.part] ?? []
            let targets = Self.targets(of: kind, count: until.count)
            now = max(now, Self.earliest(kind, targets.map { until[$0] }))
            guard Double(now) < seconds * 1_000 else { return }
            let idle = targets.filter { until[$0] <= now }
            let server = kind == .killAllLogs ? 0 : idle.randomElement(using: &random) ?? 0
            let disturbance = Disturbance(
                kind: kind, server: server, at: now, lasts: Int.random(in: Self.times(of: kind), using: &random))
            disturbances.append(disturbance)
            for target in kind == .killAllLogs ? targets : [server] { free[kind.part]?[target] = disturbance.end }
            now = Self.isAwaited(kind) ? disturbance.end : now
            now += Int.random(in: 1_000...4_000, using: &random)
        }
    }

    /// The processes that a kind may be done to. The first of its sort has a disk of its own.
    private static func targets(of kind: Disturbance.Kind, count: Int) -> [Int] {
        if case .fill = kind { return [0] }
        return Array(0..<count)
    }

    /// - Parameter until: when each of the processes is left alone again.
    private static func earliest(_ kind: Disturbance.Kind, _ until: [Int]) -> Int {
        (kind == .killAllLogs ? until.max() : until.min()) ?? 0
    }

    private static func isAwaited(_ kind: Disturbance.Kind) -> Bool {
        switch kind {
        case .kill, .killAllLogs: true
        case .stop, .fill: false
        }
    }

    /// Milliseconds that a disturbance lasts.
    private static func times(of kind: Disturbance.Kind) -> ClosedRange<Int> {
        switch kind {
        case .kill(.node): 0...500
        case .kill: 1_000...3_000
        case .killAllLogs: 500...2_000
        // A partition is taken over when its owner was silent for four seconds, and looked at each second.
        case .stop: 6_000...10_000
        case .fill: 4_000...8_000
        }
    }
}
