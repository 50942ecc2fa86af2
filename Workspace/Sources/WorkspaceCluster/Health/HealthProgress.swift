import WorkspaceCore
import WorkspaceServer

/// How far a node has counted the log of health reports.
actor HealthProgress {
    /// Yields when the node should look at the log.
    nonisolated let signals: AsyncStream<Void>
    private nonisolated let signal: AsyncStream<Void>.Continuation
    /// The place in the log; nil before the node has looked.
    private var known: HealthLogOffset?
    /// Whether the node had counted the whole log when it looked last.
    private(set) var isFollowing = false
    private let waiters = Waiters<LogRange>()

    init() { (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

    /// Asks the node to look at the log.
    nonisolated func wake() { signal.yield() }

    /// The last record that was counted.
    var place: UInt64 { known?.place ?? 0 }

    /// From then on the sums have all reports, in milliseconds since 1970; nil when nothing is missing.
    var since: Int64? { known?.since }

    func note(_ known: HealthLogOffset, isFollowing: Bool) {
        (self.known, self.isFollowing) = (known, isFollowing)
        waiters.resume(where: hasReached)
    }

    /// The log cannot be counted now.
    func fail() { isFollowing = false }

    /// Waits until the node has counted the log up to its end, but not longer than that.
    /// - Returns: whether it has.
    func reach(_ end: LogRange, within duration: Duration) async -> Bool {
        if hasReached(end) { return true }
        await waiters.wait(for: end, within: duration)
        return hasReached(end)
    }

    private func hasReached(_ end: LogRange) -> Bool {
        known.map { $0.incarnation == end.incarnation && $0.place >= end.last } ?? false
    }
}
