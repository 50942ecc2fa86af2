import Synchronization
import WorkspaceCore

/// A warehouse in a PostgreSQL database. Calls of the database run on a thread of their own, because they block; a
/// cancelled task does not wait for them.
final class PostgresWarehouse: Warehouse {
    let place: PostgresPlace
    private let thread = BackgroundThreads(count: 1)
    private let state: SessionState

    init(_ place: PostgresPlace) {
        self.place = place
        state = SessionState(thread)
    }

    func open(local: Int64) async throws -> WarehousePosition {
        try await perform { session throws(PostgresError) in try session.prepare(local: local) }
    }

    /// Loads events and moves the position, both or neither.
    func load(
        _ events: [[UInt8]], from expected: WarehousePosition, to next: WarehousePosition
    ) async throws -> Bool {
        try await perform { session throws(PostgresError) in try session.load(events, from: expected, to: next) }
    }

    func delete(userId: String, anonymousIds: [String]) async throws -> Int {
        try await perform { session throws(PostgresError) in
            try session.delete(userId: userId, anonymousIds: anonymousIds)
        }
    }

    func test() async throws -> String {
        let version = try await perform { session throws(PostgresError) in try session.test() }
        return "PostgreSQL \(version) lets its tables be made in the schema \(place.schema)"
    }

    func close() {
        let state = state
        thread.async { state.close() }
    }

    /// Runs a part on the thread.
    private func perform<Result: Sendable>(
        _ work: @escaping @Sendable (PostgresSession) throws(PostgresError) -> Result
    ) async throws -> Result {
        let (stop, once) = (StopSignal(), Once<Result>())
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                once.wait(continuation)
                thread.async { [state, place] in once.resume(state.run(place, stop, work)) }
            }
        } onCancel: {
            stop.stop()
            // Looking for the address of a host may take long, and cannot be cut off.
            once.resume(.failure(PostgresError("the server stops")))
        }
    }
}

/// The connection of a warehouse.
// Only the thread of the warehouse touches it, which each function checks.
private final class SessionState: @unchecked Sendable {
    private let thread: BackgroundThreads
    private var session: PostgresSession?

    init(_ thread: BackgroundThreads) { self.thread = thread }

    func run<Result>(
        _ place: PostgresPlace, _ stop: StopSignal, _ work: (PostgresSession) throws(PostgresError) -> Result
    ) -> Swift.Result<Result, any Error> {
        precondition(thread.areCurrent)
        do throws(PostgresError) {
            let session = try open(place, stop)
            return .success(try work(session))
        } catch {
            if session?.isOpen != true { session = nil }
            return .failure(error)
        }
    }

    private func open(_ place: PostgresPlace, _ stop: StopSignal) throws(PostgresError) -> PostgresSession {
        if let session {
            session.stop = stop
            return session
        }
        let new = try PostgresSession(place, stop: stop)
        session = new
        return new
    }

    func close() {
        precondition(thread.areCurrent)
        session?.close()
        session = nil
    }
}

/// Resumes a task once, by the first of several that want to. May be used from any thread.
private final class Once<Value: Sendable>: Sendable {
    private enum State {
        case early(Result<Value, any Error>?)
        case waiting(CheckedContinuation<Value, any Error>)
        case over
    }

    private let state = Mutex(State.early(nil))

    func wait(_ continuation: CheckedContinuation<Value, any Error>) {
        let result: Result<Value, any Error>? = state.withLock { state in
            guard case .early(let result?) = state else {
                state = .waiting(continuation)
                return nil
            }
            state = .over
            return result
        }
        if let result { continuation.resume(with: result) }
    }

    func resume(_ result: Result<Value, any Error>) {
        let continuation: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .early(nil): state = .early(result)
            case .waiting(let continuation):
                state = .over
                return continuation
            case .early, .over: break
            }
            return nil
        }
        continuation?.resume(with: result)
    }
}
