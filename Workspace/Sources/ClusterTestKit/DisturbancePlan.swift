/// The disturbances of a cluster with their times. A seed decides all of them.
///
/// Each turn has all kinds, some several times, in a random order. So a run that is long enough for a turn has every
/// kind. A process that is killed is started again before the next disturbance begins. Stops, full disks and cuts go on
/// meanwhile. No process is disturbed twice at a time.
public struct DisturbancePlan: Sendable, Equatable {
    /// The disturbances, in the order of their beginnings.
    public private(set) var disturbances: [Disturbance] = []

    /// The kinds of one turn, each as often as the turn has it.
    public static let all: [Disturbance.Kind] = [
        // Single processes die more often than all servers at once.
        .kill(.node), .kill(.node), .kill(.node), .kill(.nats), .kill(.nats), .kill(.store), .kill(.store),
        .kill(.zooKeeper), .killAllLogs, .stop(.node), .stop(.node), .stop(.nats), .stop(.store),
        .stop(.zooKeeper), .fill(.nats), .fill(.store), .cut(.machine), .cut(.zooKeeper), .separate,
    ]
    /// The deaths of nodes, and nothing else.
    public static let onlyNodes: [Disturbance.Kind] = [.kill(.node)]
    /// Machines that are cut off, and nothing else.
    public static let onlyCuts: [Disturbance.Kind] = [.cut(.machine)]

    /// - Parameters:
    ///   - seed: decides every random choice.
    ///   - seconds: the last disturbance begins before.
    ///   - kinds: the kinds of one turn. The plan is empty without them.
    ///   - servers: the number of processes of each sort. A sort without a process is not disturbed.
    ///   - pause: the shortest time until the next disturbance, in milliseconds. A random time of up to three seconds
    ///     is added.
    public init(
        seed: UInt64, seconds: Double, kinds: [Disturbance.Kind], servers: [Disturbance.Part: Int], pause: Int = 1_000
    ) {
        let kinds = kinds.filter { servers[$0.part] ?? 0 > 0 }
        guard !kinds.isEmpty else { return }
        var random = SeededGenerator(seed: seed)
        var turn: [Disturbance.Kind] = []
        // The time from which each process may be disturbed again.
        var free: [Disturbance.Target: Int] = [:]
        // Events have to flow before the first disturbance.
        var now = Int.random(in: 2_000...3_000, using: &random)
        while true {
            if turn.isEmpty { turn = kinds.shuffled(using: &random) }
            let kind = turn.removeLast()
            let choices = Self.choices(of: kind, count: servers[kind.part] ?? 0).map { server in
                let targets = Disturbance.targets(of: kind, on: server, servers)
                return (server: server, targets: targets, free: targets.map { free[$0] ?? 0 }.max() ?? 0)
            }
            now = max(now, choices.map(\.free).min() ?? 0)
            guard Double(now) < seconds * 1_000 else { return }
            guard let choice = choices.filter({ $0.free <= now }).randomElement(using: &random) else { return }
            let disturbance = Disturbance(
                kind: kind, server: choice.server, at: now, lasts: Int.random(in: Self.times(of: kind), using: &random))
            disturbances.append(disturbance)
            for target in choice.targets {
                free[target] = disturbance.end + (target.part == .machine ? Self.rest : 0)
            }
            now = Self.isAwaited(kind) ? disturbance.end : now
            now += Int.random(in: pause...pause + 3_000, using: &random)
        }
    }

    /// Milliseconds in which servers of the log find one another again after a cut. Without these, the next cut would leave
    /// no majority.
    static let rest = 20_000

    /// The servers that a kind may disturb. Only the first of its sort has its own disk.
    private static func choices(of kind: Disturbance.Kind, count: Int) -> [Int] {
        switch kind {
        case .fill, .killAllLogs: [0]
        case .kill, .stop, .cut, .separate: Array(0..<count)
        }
    }

    private static func isAwaited(_ kind: Disturbance.Kind) -> Bool {
        switch kind {
        case .kill, .killAllLogs: true
        case .stop, .fill, .cut, .separate: false
        }
    }

    /// Milliseconds that a disturbance lasts.
    private static func times(of kind: Disturbance.Kind) -> ClosedRange<Int> {
        switch kind {
        case .kill(.node): 0...500
        case .kill: 1_000...3_000
        case .killAllLogs: 500...2_000
        // Another node takes a partition over when its owner was silent for four seconds, and checks that each second.
        case .stop: 6_000...10_000
        case .fill: 4_000...8_000
        // A node refuses requests at once when it has not reached the log for ten seconds.
        case .cut(.machine), .separate: 20_000...24_000
        // ZooKeeper forgets a replica after four seconds.
        case .cut: 6_000...10_000
        }
    }
}
