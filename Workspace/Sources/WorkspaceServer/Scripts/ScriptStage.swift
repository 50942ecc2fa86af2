import Logging
import Synchronization
import WorkspaceCore

/// Takes requests of sources with live plugins in the workspace through these plugins, between the journal and the store.
///
/// Each source has a lane, a task and processes of its own, so a source waits only for its own scripts. The indexer gives
/// requests to lanes and takes them back when they are ready. It never waits. May be used from any task.
final class ScriptStage: Sendable {
    private struct State {
        var lanes: ScriptLanes
        var scripts: [Int64: SourceScripts] = [:]
        var isClosed = false
    }

    private let state: Mutex<State>
    private let make: @Sendable () -> SourceScripts
    /// Called when requests are ready.
    private let wake: @Sendable () -> Void

    /// - Parameters:
    ///   - make: makes what runs the scripts of a source.
    ///   - wake: called when requests are ready.
    init(
        lanes: ScriptLanes = ScriptLanes(), make: @escaping @Sendable () -> SourceScripts,
        wake: @escaping @Sendable () -> Void
    ) {
        state = Mutex(State(lanes: lanes))
        (self.make, self.wake) = (make, wake)
    }

    /// Whether requests of the source wait, so that its next ones have to wait, too.
    func isWaiting(_ source: Int64) -> Bool { state.withLock { $0.lanes.isWaiting(source) } }

    /// - Parameter isLeft: whether the request was left in the journal before.
    /// - Returns: whether it was taken; else it stays in the journal for now.
    @discardableResult
    func take(_ job: ScriptJob, isLeft: Bool = false) -> Bool {
        let source = job.batch.source
        let taken: ScriptLanes.Taken = state.withLock { state in
            state.isClosed ? .left : state.lanes.take(job, isLeft: isLeft)
        }
        switch taken {
        case .begins: Task { await run(source) }
        case .waits: break
        case .left: return false
        }
        return true
    }

    /// The requests that went through their scripts. They count as stored from now on.
    func takeReady() -> [ScriptJob] { state.withLock { $0.lanes.takeReady() } }

    /// How far the journal is done when it was read up to a place, and the stored requests behind that.
    func progress(reading main: UInt64) -> (place: UInt64, backlog: ScriptBacklog) {
        state.withLock { ($0.lanes.place(reading: main), $0.lanes.backlog(reading: main)) }
    }

    /// The sources with requests in the journal that have room again, each with the first of these requests.
    var refill: [(source: Int64, from: UInt64)] { state.withLock { $0.lanes.refill } }

    func refilled(_ source: Int64, next: UInt64?) { state.withLock { $0.lanes.refilled(source, next: next) } }

    /// Forgets all waiting requests, because they are read again.
    func reset() { state.withLock { $0.lanes.reset() } }

    /// Too much waits in the journal: requests that wait for scripts go on without them.
    func giveWay() async {
        let late = state.withLock { state in state.scripts.filter { state.lanes.isWaiting($0.key) }.map(\.value) }
        for scripts in late {
            await scripts.giveWay(
                because:
                    "the journal is half full because live plugins are slow; events of their source go on without them")
        }
    }

    /// The waiting requests of one source go on without scripts.
    func giveWay(_ source: Int64, because reason: Logger.Message) async {
        await state.withLock { $0.lanes.isWaiting(source) ? $0.scripts[source] : nil }?.giveWay(because: reason)
    }

    /// Ends all processes. Waiting requests stay in the journal.
    func close() async {
        let scripts = state.withLock { state in
            state.isClosed = true
            defer { state.scripts = [:] }
            return Array(state.scripts.values)
        }
        for scripts in scripts { await scripts.close() }
    }

    /// The work on a lane, until nothing waits there.
    private func run(_ source: Int64) async {
        guard let scripts = scripts(of: source) else { return }
        while true {
            let (jobs, generation) = state.withLock { state in
                (state.lanes.next(source, events: Limits.scriptEventsAtOnce), state.lanes.generation)
            }
            guard !jobs.isEmpty else { break }
            let done = await scripts.process(jobs)
            let isClosed = state.withLock { state in
                if !state.isClosed { state.lanes.finish(done, generation: generation) }
                return state.isClosed
            }
            guard !isClosed else { return }
            wake()
        }
        await scripts.rest()
        endLater(scripts)
    }

    private func scripts(of source: Int64) -> SourceScripts? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            if let known = state.scripts[source] { return known }
            let made = make()
            state.scripts[source] = made
            return made
        }
    }

    private func endLater(_ scripts: SourceScripts) {
        Task { [weak scripts] in
            guard let work = await scripts?.work else { return }
            try await Task.sleep(for: Limits.scriptHealthPause)
            await scripts?.reportIfIdle(since: work)
            try await Task.sleep(for: Limits.workerIdleTime)
            await scripts?.endIfIdle(since: work)
        }
    }
}
