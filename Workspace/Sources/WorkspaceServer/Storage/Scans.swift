import Dispatch
import Synchronization
import TributaryJSON

/// Limits searches: few run at a time, in small steps, and storing events comes first.
///
/// The steps run on one thread that all searches share, so the threads that accept events stay free. Between two steps
/// a search rests while the server accepts or stores requests (`IngestActivity`). Cancelling its task ends it at the next row.
final class Scans: Sendable {
    /// What shows how much work scans do.
    struct Figures: Sendable, Equatable {
        /// Scans that look through events now.
        var running = 0
        /// Scans that wait for their turn.
        var waiting = 0
        /// Rows that scans looked at since the start.
        var rows = 0
    }

    private struct State {
        let changed: @Sendable (Figures) -> Void
        var figures = Figures() { didSet { if figures != oldValue { changed(figures) } } }
        var nextId = 0
        var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []

        init(_ changed: @escaping @Sendable (Figures) -> Void) { self.changed = changed }
    }

    private let state: Mutex<State>
    private let line = DispatchQueue(label: "tributary.scans", qos: .utility)
    private let isIngestBusy: @Sendable () -> Bool
    private let rest: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - isIngestBusy: whether the server accepts or stores requests.
    ///   - rest: waits a little; throws when the task is cancelled.
    ///   - changed: gets the figures each time they change, in order; must come back at once.
    init(
        isIngestBusy: @escaping @Sendable () -> Bool = { false },
        rest: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: Limits.scanRest) },
        changed: @escaping @Sendable (Figures) -> Void = { _ in }
    ) {
        state = Mutex(State(changed))
        self.isIngestBusy = isIngestBusy
        self.rest = rest
    }

    var figures: Figures { state.withLock { $0.figures } }

    /// - Throws: `APIError` when so many wait already that no other one should.
    func checkRoom() throws(APIError) {
        guard figures.waiting >= Limits.waitingScans else { return }
        throw .overloaded(
            "\(Limits.scansAtOnce) searches through events are at work and \(Limits.waitingScans) wait, which is the most; "
                + "try again later")
    }

    /// Runs a search when it is its turn, in the order of arrival.
    /// - Parameter isBegun: it goes on with an answer that has begun, so it waits behind however many there are.
    /// - Throws: `APIError` when too many wait already, `CancellationError` when the task is cancelled meanwhile.
    func take<Result>(isBegun: Bool = false, _ work: () async throws -> Result) async throws -> Result {
        if !isBegun { try checkRoom() }
        try await begin()
        defer { end() }
        try Task.checkCancellation()
        return try await work()
    }

    /// Processes rows on the searches' thread.
    func look<Result: Sendable>(at rows: Int, _ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        state.withLock { $0.figures.rows += rows }
        let result = try await withCheckedThrowingContinuation { continuation in
            line.async { continuation.resume(with: Swift.Result(catching: work)) }
        }
        if isIngestBusy() { try await rest() }
        try Task.checkCancellation()
        return result
    }

    private func begin() async throws {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let answer: Swift.Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.figures.running < Limits.scansAtOnce {
                        state.figures.running += 1
                        return .success(())
                    }
                    state.waiting.append((id, continuation))
                    state.figures.waiting = state.waiting.count
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            let left = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { index in
                    defer { state.figures.waiting = state.waiting.count }
                    return state.waiting.remove(at: index).continuation
                }
            }
            left?.resume(throwing: CancellationError())
        }
    }

    /// Gives the place to the search that waits longest.
    private func end() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.figures.running -= 1
                return nil as CheckedContinuation<Void, any Error>?
            }
            defer { state.figures.waiting = state.waiting.count }
            return state.waiting.removeFirst().continuation
        }
        next?.resume()
    }
}

extension EventQuery {
    /// Whether many rows may have to be looked at for the few that match: there is no index for what it asks.
    var isScan: Bool {
        if !conditions.isEmpty { return true }
        let columns = Set(matches.map(\.column))
        return columns.count > 1 && columns.contains(.type) && columns.isDisjoint(with: [.name, .userId, .anonymousId])
    }
}
