import Dispatch
import Synchronization
import TributaryJSON

/// Limits searches: few run at a time, in small steps, and storing events comes first.
///
/// The steps run on one thread that all searches share, so the threads that accept events stay free. Between two steps
/// a search rests while the server accepts or stores requests (`IngestActivity`). Cancelling its task ends it at the next row.
package final class Scans: Sendable {
    /// Figures of the work of scans.
    package struct Figures: Sendable, Equatable {
        /// Scans that look through events now.
        package var running = 0
        /// Scans that wait for their turn.
        package var waiting = 0
        /// Rows that scans looked at since the start.
        package var rows = 0
    }

    private struct Waiting {
        let id: Int
        let holder: SharedSlots.Holder
        /// False for a scan that goes on with an answer, which needs no place.
        let hasPlace: Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        let changed: @Sendable (Figures) -> Void
        var figures = Figures() { didSet { if figures != oldValue { changed(figures) } } }
        var nextId = 0
        var waiting: [Waiting] = []
        var places = SharedSlots(Limits.waitingScans)

        init(_ changed: @escaping @Sendable (Figures) -> Void) { self.changed = changed }

        /// One place to run is for administrators.
        func canRun(_ holder: SharedSlots.Holder) -> Bool {
            figures.running < (holder.role == .administer ? Limits.scansAtOnce : Limits.scansAtOnce - 1)
        }

        /// The place in line of the next search.
        var next: Int? {
            waiting.indices.min {
                (waiting[$1].holder.role, waiting[$0].id) < (waiting[$0].holder.role, waiting[$1].id)
            }
        }

        mutating func remove(at index: Int) -> Waiting {
            let removed = waiting.remove(at: index)
            if removed.hasPlace { places.leave(removed.holder) }
            figures.waiting = waiting.count
            return removed
        }
    }

    private let state: Mutex<State>
    private let line = DispatchQueue(label: "tributary.scans", qos: .utility)
    private let isIngestBusy: @Sendable () -> Bool
    private let rest: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - isIngestBusy: whether the server accepts or stores requests.
    ///   - rest: waits a little; throws when the task is cancelled.
    ///   - changed: gets the figures each time they change, in order; must come back at once.
    package init(
        isIngestBusy: @escaping @Sendable () -> Bool = { false },
        rest: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: Limits.scanRest) },
        changed: @escaping @Sendable (Figures) -> Void = { _ in }
    ) {
        state = Mutex(State(changed))
        (self.isIngestBusy, self.rest) = (isIngestBusy, rest)
    }

    package var figures: Figures { state.withLock { $0.figures } }

    /// - Throws: `Refusal` when so many wait already that no other one should.
    package func checkRoom() throws(Refusal) {
        let refusal = state.withLock { $0.canRun(.current) ? nil : $0.places.refusal(of: .current) }
        if let refusal { throw Self.error(refusal) }
    }

    private static func error(_ refusal: SharedSlots.Full) -> Refusal {
        refusal.error("searches through events that wait for their turn")
    }

    /// Runs a search when it is its turn: those of a higher role first, and those of one role in the order of arrival.
    /// - Parameters:
    ///   - holder: who searches.
    ///   - isBegun: it goes on with an answer that has begun, so it waits behind however many there are.
    /// - Throws: `Refusal` when too many wait already, `CancellationError` when the task is cancelled meanwhile.
    package func take<Result>(
        for holder: SharedSlots.Holder = .current, isBegun: Bool = false, _ work: () async throws -> Result
    ) async throws -> Result {
        try await begin(holder, needsPlace: !isBegun)
        defer { end() }
        try Task.checkCancellation()
        return try await work()
    }

    /// Processes rows on the searches' thread.
    package func look<Result: Sendable>(at rows: Int, _ work: @escaping @Sendable () throws -> Result) async throws
        -> Result
    {
        try Task.checkCancellation()
        state.withLock { $0.figures.rows += rows }
        let result = try await withCheckedThrowingContinuation { continuation in
            line.async { continuation.resume(with: Swift.Result(catching: work)) }
        }
        if isIngestBusy() { try await rest() }
        try Task.checkCancellation()
        return result
    }

    private func begin(_ holder: SharedSlots.Holder, needsPlace: Bool) async throws {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let answer: Swift.Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.canRun(holder) {
                        state.figures.running += 1
                        return .success(())
                    }
                    do throws(SharedSlots.Full) {
                        if needsPlace { try state.places.take(holder) }
                    } catch {
                        return .failure(Self.error(error))
                    }
                    state.waiting.append(
                        Waiting(id: id, holder: holder, hasPlace: needsPlace, continuation: continuation))
                    state.figures.waiting = state.waiting.count
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            let left = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.remove(at: $0).continuation }
            }
            left?.resume(throwing: CancellationError())
        }
    }

    /// Gives the place to the next search.
    private func end() {
        let next: CheckedContinuation<Void, any Error>? = state.withLock { state in
            state.figures.running -= 1
            guard let index = state.next, state.canRun(state.waiting[index].holder) else { return nil }
            state.figures.running += 1
            return state.remove(at: index).continuation
        }
        next?.resume()
    }
}

extension EventQuery {
    /// Whether many rows may have to be looked at for the few that match: there is no index for what it asks.
    package var isScan: Bool {
        if !conditions.isEmpty { return true }
        let columns = Set(matches.map(\.column))
        return columns.count > 1 && columns.contains(.type) && columns.isDisjoint(with: [.name, .userId, .anonymousId])
    }
}
