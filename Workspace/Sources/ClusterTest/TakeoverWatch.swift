import ClusterTestKit
import Synchronization
import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// Reads the records of partitions again and again, and measures how long takeovers take.
final class TakeoverWatch: Sendable {
    private let places: any PartitionLeases
    private let partitions: Int
    private let began = ContinuousClock.now
    private let clock = Mutex(TakeoverClock())

    init(_ places: any PartitionLeases, partitions: Int) { (self.places, self.partitions) = (places, partitions) }

    /// A node was killed or stopped.
    func lose(_ node: Int) { clock.withLock { $0.lose(Self.beginning(node), at: now) } }

    /// A node that was stopped goes on.
    func goOn(_ node: Int) { clock.withLock { $0.goOn(Self.beginning(node)) } }

    /// Looks until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            for partition in 0..<partitions { group.addTask { await self.look(at: partition) } }
        }
    }

    /// The measured times, for people. For a slow takeover it lists the disturbances meanwhile.
    func report(_ plan: DisturbancePlan) -> [String] {
        let (takeovers, waiting) = clock.withLock { ($0.takeovers, $0.waiting) }
        let sorted = takeovers.sorted { $0.milliseconds < $1.milliseconds }
        guard let slowest = sorted.last else { return ["takeovers: none"] }
        let line =
            "takeovers: \(sorted.count), half of them within \(Self.seconds(sorted[sorted.count / 2].milliseconds)), "
            + "the slowest \(Self.seconds(slowest.milliseconds))" + (waiting > 0 ? ", \(waiting) open" : "")
        guard slowest.milliseconds > Self.slow else { return [line] }
        let meanwhile = plan.disturbances.filter { $0.at <= slowest.ended && slowest.began <= $0.end }
        return [line, "the slowest from \(slowest.began) ms to \(slowest.ended) ms; meanwhile:"]
            + meanwhile.map { "  \($0)" }
    }

    /// A takeover that takes longer than this has another reason than the loss of the owner; milliseconds.
    private static let slow = 10_000

    /// The first part of the names that a node takes at its starts.
    private static func beginning(_ node: Int) -> String { "\(ClusterTestNames.node(node))-" }

    private static func seconds(_ milliseconds: Int) -> String { "\(Double(milliseconds / 100) / 10) s" }

    private var now: Int { Int((ContinuousClock.now - began) / .milliseconds(1)) }

    private func look(at partition: Int) async {
        while !Task.isCancelled {
            // Servers that were just killed do not answer.
            if let found = try? await places.place(of: partition) {
                clock.withLock { $0.see(found.place, of: partition, at: now) }
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}
