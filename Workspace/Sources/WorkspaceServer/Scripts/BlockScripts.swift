package import Logging
import Synchronization
package import WorkspaceCore

/// Takes requests that a node is about to store through the live plugins of their sources.
///
/// On one machine, requests that wait for scripts stay in the journal, and the others go on. A block has all records of a range,
/// so here the block waits. A source that keeps it waiting for too long goes on without scripts for a while. So it costs
/// the other sources of the partition a few seconds in a minute at most. May be used from any task.
package final class BlockScripts: Sendable {
    /// A request with its number of the caller, for scripts.
    package struct Request: Sendable {
        package let place: UInt64
        package let batch: IncomingBatch
        package let scripts: WorkspaceScripts

        package init(place: UInt64, batch: IncomingBatch, scripts: WorkspaceScripts) {
            (self.place, self.batch, self.scripts) = (place, batch, scripts)
        }
    }

    /// A request that went through scripts.
    package struct Outcome: Sendable {
        package let batch: IncomingBatch
        package let origins: ScriptedOrigins
        /// How many events the request had.
        package let events: Int

        /// For an outcome without scripts.
        package init(_ batch: IncomingBatch) {
            self.init(
                batch, ScriptedOrigins(events: batch.events.indices.map { ScriptedOrigins.Origin(event: $0) }),
                events: batch.events.count)
        }

        package init(_ batch: IncomingBatch, _ origins: ScriptedOrigins, events: Int) {
            (self.batch, self.origins, self.events) = (batch, origins, events)
        }
    }

    private struct State {
        /// The last number that was given to a request.
        var last: UInt64 = 0
        /// The blocks that wait, by the numbers of their requests.
        var waiting: [UInt64: AsyncStream<ScriptJob>.Continuation] = [:]
        /// The sources that go on without scripts, and until when.
        var late: [Int64: ContinuousClock.Instant] = [:]
    }

    private static let steps = 20

    private let state: StateBox
    private let stage: ScriptStage
    private let patience: Duration
    private let known: @Sendable () async -> [Int64: WorkspaceScripts]

    /// Shared with the stage, which tells when requests are ready.
    private final class StateBox: Sendable {
        let state = Mutex(State())
        let stage = Mutex<ScriptStage?>(nil)

        /// Gives the requests that are ready to the blocks that wait for them.
        func deliver() {
            guard let stage = stage.withLock({ $0 }) else { return }
            for job in stage.takeReady() { state.withLock { $0.waiting[job.sequence] }?.yield(job) }
        }
    }

    /// - Parameters:
    ///   - known: the sources with live plugins in the workspace.
    ///   - patience: how long a block waits.
    ///   - make: makes what runs the scripts of a source.
    init(
        known: @escaping @Sendable () async -> [Int64: WorkspaceScripts],
        patience: Duration = Limits.scriptBlockPatience, make: @escaping @Sendable () -> SourceScripts
    ) {
        let box = StateBox()
        // A block bounds what waits, so a lane needs no bound of its own.
        stage = ScriptStage(lanes: ScriptLanes(bytesOfLane: .max), make: make, wake: { box.deliver() })
        box.stage.withLock { [stage] in $0 = stage }
        (state, self.patience, self.known) = (box, patience, known)
    }

    /// For a node.
    /// - Parameters:
    ///   - program: the path of the program `tributary`; nil when another one started the node.
    ///   - inbox: gets the reports of what scripts do.
    package convenience init(
        program: String?, store: Store, sources: SourceRegistry, inbox: HealthInbox,
        now: @escaping @Sendable () -> Int64, logger: Logger
    ) {
        let instance = "workspace-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        let reports = ScriptReports(inbox, instance: instance, now: now, logger)
        self.init(known: { await sources.scripts }) {
            SourceScripts(program: program, store: store, reports: reports, logger: logger)
        }
    }

    /// The sources with live plugins, without those that are paused.
    package func sources() async -> [Int64: WorkspaceScripts] {
        let known = await known()
        guard !known.isEmpty else { return known }
        let now = ContinuousClock.now
        let late = state.state.withLock { state in
            state.late = state.late.filter { $0.value > now }
            return state.late
        }
        return known.filter { late[$0.key] == nil }
    }

    /// Waits for the scripts. A request that is not ready in time goes on as it came.
    /// - Returns: the outcomes by the numbers of the caller; fewer when the task is cancelled.
    package func run(_ requests: [Request]) async -> [UInt64: Outcome] {
        let (ready, give) = AsyncStream.makeStream(of: ScriptJob.self)
        let (jobs, asked) = jobs(requests, give)
        defer {
            give.finish()
            state.state.withLock { state in for job in jobs { state.waiting[job.sequence] = nil } }
        }
        for job in jobs { stage.take(job) }
        let alarm = Task { [patience] in
            // A process that was stopped meanwhile loses one of the steps, and its scripts have the others.
            for _ in 0..<Self.steps { try await Task.sleep(for: patience / Self.steps) }
            give.finish()
        }
        defer { alarm.cancel() }
        var outcomes: [UInt64: Outcome] = [:]
        for await job in ready {
            guard let request = asked[job.sequence] else { continue }
            outcomes[request.place] =
                job.origins.map { Outcome(job.batch, $0, events: request.batch.events.count) } ?? Outcome(job.batch)
            if outcomes.count == jobs.count { return outcomes }
        }
        guard !Task.isCancelled else { return outcomes }
        let late = requests.filter { outcomes[$0.place] == nil }
        for request in late { outcomes[request.place] = Outcome(request.batch) }
        await pause(Set(late.map(\.batch.source)))
        return outcomes
    }

    /// Ends all processes.
    package func close() async {
        await stage.close()
        state.stage.withLock { $0 = nil }
    }

    private func jobs(
        _ requests: [Request], _ give: AsyncStream<ScriptJob>.Continuation
    ) -> (jobs: [ScriptJob], asked: [UInt64: Request]) {
        state.state.withLock { state in
            var (jobs, asked): ([ScriptJob], [UInt64: Request]) = ([], [:])
            for request in requests {
                state.last += 1
                state.waiting[state.last] = give
                jobs.append(ScriptJob(sequence: state.last, batch: request.batch, scripts: request.scripts))
                asked[state.last] = request
            }
            return (jobs, asked)
        }
    }

    private func pause(_ sources: Set<Int64>) async {
        let until = ContinuousClock.now + Limits.scriptBlockPause
        state.state.withLock { state in for source in sources { state.late[source] = until } }
        for source in sources {
            await stage.giveWay(
                source,
                because:
                    "live plugins are too slow for this node; events of their source go on without them for a minute")
        }
    }
}
