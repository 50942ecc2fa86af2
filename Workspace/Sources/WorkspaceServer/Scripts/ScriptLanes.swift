import WorkspaceCore

/// A request with events for scripts.
struct ScriptJob: Sendable {
    /// Its place in the journal; on a node, any number that is its own.
    let sequence: UInt64
    var batch: IncomingBatch
    /// Where the events come from; nil while the request waits for scripts.
    var origins: ScriptedOrigins?
    /// The scripts of its source; nil when they were switched off while older requests of the source still waited.
    let scripts: WorkspaceScripts?

    init(sequence: UInt64, batch: IncomingBatch, scripts: WorkspaceScripts?) {
        (self.sequence, self.batch, self.scripts) = (sequence, batch, scripts)
    }
}

/// Which requests wait for scripts, in a lane for each source, and how far the journal is done.
///
/// The requests of a source stay in their order. A source never waits for another one. A lane holds requests in memory up to a
/// limit. Later requests stay in the journal and are read again when there is room (`refill`).
struct ScriptLanes {
    private struct Lane {
        /// The requests that wait, oldest first.
        var queue: [ScriptJob] = []
        /// Bytes of the events that wait.
        var bytes = 0
        /// The places of all requests that are not stored, oldest first, whether they wait or are ready.
        var unfinished: [UInt64] = []
        /// Whether a task works on the lane.
        var isRunning = false
        /// The first request of the source that was left in the journal.
        var left: UInt64?

        var first: UInt64? { unfinished.first ?? left }
    }

    /// The answer to a request for a lane.
    enum Taken: Equatable {
        /// It is the first one; a task has to begin with the lane.
        case begins
        case waits
        /// There is no room; it stays in the journal.
        case left
    }

    private var lanes: [Int64: Lane] = [:]
    private var ready: [ScriptJob] = []
    /// Grows when everything is forgotten, so that work from before is recognised.
    private(set) var generation = 0
    private let bytesOfLane: Int

    init(bytesOfLane: Int = Limits.scriptLaneBytes) { self.bytesOfLane = bytesOfLane }

    /// Whether a request of the source waits.
    func isWaiting(_ source: Int64) -> Bool { lanes[source]?.first != nil }

    /// - Parameter isLeft: whether the request was left in the journal before.
    mutating func take(_ job: ScriptJob, isLeft: Bool = false) -> Taken {
        let source = job.batch.source
        var lane = lanes[source] ?? Lane()
        defer { lanes[source] = lane }
        if lane.left != nil, !isLeft { return .left }
        if lane.bytes >= bytesOfLane, !lane.queue.isEmpty {
            lane.left = job.sequence
            return .left
        }
        lane.queue.append(job)
        lane.bytes += job.batch.byteCount
        lane.unfinished.append(job.sequence)
        if lane.isRunning { return .waits }
        lane.isRunning = true
        return .begins
    }

    /// The next requests of a lane, as many as make some events; empty when there are none, and the task ends.
    mutating func next(_ source: Int64, events: Int) -> [ScriptJob] {
        guard var lane = lanes[source] else { return [] }
        defer { lanes[source] = lane }
        var (count, found) = (0, 0)
        while count < lane.queue.count, found < events {
            found += lane.queue[count].batch.events.count
            count += 1
        }
        guard count > 0 else {
            lane.isRunning = false
            return []
        }
        let jobs = Array(lane.queue.prefix(count))
        lane.queue.removeFirst(count)
        lane.bytes -= jobs.reduce(0) { $0 + $1.batch.byteCount }
        return jobs
    }

    /// Takes requests that went through the scripts of their source, in their order.
    /// - Parameter generation: of when they were given out.
    mutating func finish(_ jobs: [ScriptJob], generation: Int) {
        guard generation == self.generation else { return }
        ready += jobs
    }

    /// The requests that can be stored. They count as stored from now on.
    mutating func takeReady() -> [ScriptJob] {
        defer { ready = [] }
        let counts = ready.reduce(into: [Int64: Int]()) { $0[$1.batch.source, default: 0] += 1 }
        for (source, count) in counts {
            // A lane finishes its requests in their order.
            lanes[source]?.unfinished.removeFirst(count)
            if lanes[source]?.first == nil, lanes[source]?.isRunning == false { lanes[source] = nil }
        }
        return ready
    }

    /// How far the journal is done, when it was read up to a place.
    func place(reading main: UInt64) -> UInt64 {
        let first = lanes.values.compactMap(\.first).min()
        return first.map { min(main, $0 - 1) } ?? main
    }

    /// The requests behind that place that are stored.
    func backlog(reading main: UInt64) -> ScriptBacklog {
        let waiting = lanes.compactMapValues(\.first)
        return waiting.isEmpty ? .none : ScriptBacklog(through: main, waiting: waiting)
    }

    /// The sources with requests in the journal that have room again, each with the first of these requests.
    var refill: [(source: Int64, from: UInt64)] {
        lanes.compactMap { source, lane in lane.bytes < bytesOfLane / 2 ? lane.left.map { (source, $0) } : nil }
    }

    /// The requests of a source before a place were read again.
    /// - Parameter next: the first that is still left; nil when there is none.
    mutating func refilled(_ source: Int64, next: UInt64?) { lanes[source]?.left = next }

    /// Forgets everything, because the requests are read again.
    mutating func reset() {
        generation += 1
        ready = []
        for source in lanes.keys {
            lanes[source]?.queue = []
            lanes[source]?.bytes = 0
            lanes[source]?.unfinished = []
            lanes[source]?.left = nil
            if lanes[source]?.isRunning == false { lanes[source] = nil }
        }
    }
}
