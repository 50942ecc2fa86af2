import WorkspaceCore
import WorkspaceServer

/// How far the partitions of a cluster are stored, as this node saw it last.
actor ClusterProgress {
    private var places: [PartitionLease?]
    /// Rows up to this number are stored, and no row that is stored later has a lower one.
    private(set) var confirmed: Int64 = 0
    /// Since when the places cannot be read; nil while they can.
    private var failingSince: ContinuousClock.Instant?
    /// The end of the log, as this node saw it last.
    private var newest: IntakeMark?
    /// A backlog that is too long to wait for; nil when there is none.
    private var backlog: IntakeMark?
    private var appends = AppendWatch()
    private let waiters = Waiters<IntakeMark>()

    init(partitions: Int) { places = Array(repeating: nil, count: partitions) }

    /// Every record up to these places is stored.
    var through: [UInt64] { places.map { $0?.through ?? 0 } }

    /// The record of each partition; nil for a partition that has not had an owner yet.
    var standing: [PartitionLease?] { places }

    /// Whether the backlog is too long to wait for.
    var isBehind: Bool { backlog.map { !isStored($0) } ?? false }

    /// The number of records that were not stored when the node last looked.
    var waitingRequests: Int { newest.map(missing) ?? 0 }

    /// The number of records of each partition that were not stored when the node last looked; empty before that.
    var waitingByPartition: [Int] {
        guard let newest else { return [] }
        return zip(through, newest.places).map { Int(clamping: $1 - min($0, $1)) }
    }

    func note(end: IntakeMark) { newest = end }

    func noteBacklog(_ mark: IntakeMark) { backlog = mark }

    func fail(at time: ContinuousClock.Instant = .now) { failingSince = failingSince ?? time }

    /// For how long the log has been away. It is away when the places cannot be read, or when it takes none of the
    /// waiting requests. A server that was cut off may answer reads for a while.
    func failing(at time: ContinuousClock.Instant = .now) -> Duration {
        max(failingSince.map { time - $0 } ?? .zero, appends.stuck(at: time))
    }

    /// A request begins to wait for the log.
    /// - Returns: for how long the log has been away.
    @discardableResult
    func beginAppend(at time: ContinuousClock.Instant = .now) -> Duration {
        appends.begin(at: time)
        return failing(at: time)
    }

    /// - Parameter isTaken: whether the log has the request.
    func endAppend(isTaken: Bool, at time: ContinuousClock.Instant = .now) { appends.end(isTaken: isTaken, at: time) }

    /// - Returns: whether `confirmed` has changed.
    func update(_ places: [PartitionLease?]) -> Bool {
        (self.places, failingSince) = (places, nil)
        waiters.resume(where: isStored)
        guard let next = places.map({ $0?.next ?? 0 }).min() else { return false }
        let before = confirmed
        confirmed = max(before, ClusterNumber.first(at: next) - 1)
        return confirmed != before
    }

    func isStored(_ mark: IntakeMark) -> Bool { zip(through, mark.places).allSatisfy { $0 >= $1 } }

    /// The number of records up to a mark that are not stored.
    func missing(_ mark: IntakeMark) -> Int {
        zip(through, mark.places).reduce(0) { $0 + Int(clamping: $1.1 - min($1.0, $1.1)) }
    }

    /// Waits until everything up to a mark is stored, but not longer than that.
    func reach(_ mark: IntakeMark, within duration: Duration) async {
        guard !isStored(mark) else { return }
        await waiters.wait(for: mark, within: duration)
    }
}

/// Measures for how long a log has taken no request although requests wait for it. A pure value.
struct AppendWatch: Sendable {
    private var waiting = 0
    /// When the log last took a request, or when the first waiting request came if that was later; nil while none
    /// waits.
    private var since: ContinuousClock.Instant?

    /// A request waits for the log.
    mutating func begin(at now: ContinuousClock.Instant) {
        if waiting == 0 { since = now }
        waiting += 1
    }

    /// A request no longer waits.
    /// - Parameter isTaken: whether the log has it.
    mutating func end(isTaken: Bool, at now: ContinuousClock.Instant) {
        waiting = max(0, waiting - 1)
        if isTaken { since = now }
        if waiting == 0 { since = nil }
    }

    /// For how long the log has taken no request; zero while none waits.
    func stuck(at now: ContinuousClock.Instant) -> Duration { since.map { max(.zero, now - $0) } ?? .zero }
}
