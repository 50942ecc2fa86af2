import Hummingbird
import ServiceLifecycle
import Synchronization
import TributaryJSON
import WorkspaceCore

/// Lets tests of apps wait until their events have arrived.
struct WaitRoutes: Sendable {
    let store: Store
    let readYourWrites: ReadYourWrites
    let commitSignal: CommitSignal
    let scans: Scans
    private let places = Places()

    /// Requests that wait now.
    private final class Places: Sendable {
        private let places = Mutex(SharedSlots(Limits.waitingRequests))

        func take(_ holder: SharedSlots.Holder) throws(Refusal) {
            do throws(SharedSlots.Full) {
                try places.withLock { places throws(SharedSlots.Full) in try places.take(holder) }
            } catch {
                throw error.error("requests that wait for an event")
            }
        }

        func leave(_ holder: SharedSlots.Holder) { places.withLock { $0.leave(holder) } }
    }

    /// The events that a wait has found.
    private final class Found: Sendable {
        private let state: Mutex<(rows: [[UInt8]], after: Int64?)>

        init(after: Int64?) { state = Mutex(([], after)) }

        var rows: [[UInt8]] { state.withLock { $0.rows } }

        /// Where the next search begins.
        var after: Int64? { state.withLock { $0.after } }

        func replace(_ rows: [[UInt8]]) { state.withLock { $0.rows = rows } }

        func add(_ rows: [[UInt8]], through last: Int64?) {
            state.withLock { state in
                state.rows += rows
                state.after = last ?? state.after
            }
        }
    }

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/wait-for-event") { request, _ in
            let reader = QueryReader(request)
            var query = try reader.eventQuery(matching: EventQuery.Match.Column.ofEvents)
            let seconds = try reader.number("timeout") ?? Limits.waitSeconds
            let count = try reader.number("count") ?? 1
            guard (0...Limits.longestWaitSeconds).contains(seconds) else {
                throw Refusal.invalid("timeout is a number of seconds from 0 to \(Limits.longestWaitSeconds)")
            }
            guard (1...Limits.waitedEvents).contains(count) else {
                throw Refusal.invalid("count is a number from 1 to \(Limits.waitedEvents)")
            }
            query.limit = Int(count)
            query.order = .ascending
            query.conditions = try reader.conditions()
            let holder = SharedSlots.Holder.current
            try places.take(holder)
            defer { places.leave(holder) }
            await readYourWrites.wait()
            return try await wait(for: query, seconds: seconds)
        }
    }

    private func wait(for query: EventQuery, seconds: Int64) async throws -> Response {
        let found = Found(after: query.after)
        // A wait of 0 seconds is answered with the events that are stored already.
        if let answer = try await answer(to: query, found) { return answer }
        let answer = try await withThrowingTaskGroup(of: Response?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                // A stop of the server ends the wait, so the stop is not delayed.
                try await cancelWhenGracefulShutdown { try await look(for: query, found) }
            }
            group.addTask {
                try await Task.sleep(for: .seconds(seconds))
                return nil
            }
            do {
                return try await group.next() ?? nil
            } catch is CancellationError {
                return nil
            }
        }
        if let answer { return answer }
        throw Refusal.notFound(
            "\(found.rows.count) of \(query.limit) matching events came within \(seconds) seconds")
    }

    /// Asks after each commit. The commitSignal is read before the storage, so no commit falls in between.
    private func look(for query: EventQuery, _ found: Found) async throws -> Response? {
        while !Task.isCancelled {
            let count = commitSignal.count
            if let answer = try await answer(to: query, found) { return answer }
            await commitSignal.wait(after: count)
        }
        return nil
    }

    private func answer(to query: EventQuery, _ found: Found) async throws -> Response? {
        if query.conditions.isEmpty {
            found.replace(try await store.events(query).rows)
        } else {
            try await search(for: query, found)
        }
        guard found.rows.count >= query.limit else { return nil }
        var object = ObjectText()
        object.add("events", objects: found.rows)
        return Response.json(object.finished())
    }

    /// Looks at the events since the last search only, because nothing but their content says whether they match.
    private func search(for query: EventQuery, _ found: Found) async throws {
        var rest = query
        repeat {
            rest.after = found.after
            rest.limit = query.limit - found.rows.count
            let page = try await scans.take { [rest] in try await store.events(rest, scans: scans) }
            found.add(page.rows, through: page.search?.last)
            guard page.next != nil else { return }
        } while found.rows.count < query.limit
    }
}

extension Limits {
    /// How long a request waits for an event by default and at most, and for how many events.
    static let waitSeconds: Int64 = 10
    static let longestWaitSeconds: Int64 = 60
    static let waitedEvents: Int64 = 100
    /// Requests that wait for an event at once.
    package static let waitingRequests = 400
}
