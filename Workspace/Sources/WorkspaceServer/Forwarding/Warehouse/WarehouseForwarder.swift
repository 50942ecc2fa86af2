import Logging
import TributaryJSON
import WorkspaceCore

/// Loads the events of a source into a warehouse, with the present settings of a destination.
///
/// The position in the warehouse counts: it changes in the transaction that loads the rows. The position of the
/// destination follows it.
struct WarehouseForwarder: Sendable {
    let destination: Destination
    let events: ForwardableEvents
    let warehouse: any Warehouse
    let store: Store
    let states: ForwardingStates
    let metrics: ServerMetrics
    let now: @Sendable () -> Int64
    let logger: Logger
    let failures: RepeatedFailures

    /// Loads until a message says `stop`. A transaction that is under way is cut off; the next start sees whether it ended.
    func run(_ messages: AsyncStream<Forwarder.Message>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await Self.stopped(messages) }
            group.addTask { await deliver() }
            await group.next()
            group.cancelAll()
        }
        warehouse.close()
        states.put(nil, of: destination.id)
    }

    private static func stopped(_ messages: AsyncStream<Forwarder.Message>) async {
        for await message in messages {
            if case .stop = message { return }
        }
    }

    private func deliver() async {
        var progress = WarehouseProgress(now: now())
        while !Task.isCancelled {
            var mayHaveMore = false
            if !progress.isResting(now: now()) {
                do {
                    mayHaveMore = try await look(&progress)
                } catch let error as any WarehouseError {
                    metrics.forwarded(["failed": 1], to: destination.name)
                    progress.failed(error.text, now: now())
                } catch {
                    warn("events cannot be loaded", error)
                    progress.failed("the server cannot read events or note what was loaded", now: now())
                }
                if Task.isCancelled { return }
                states.put(progress.state, of: destination.id)
            }
            // When the task is cancelled, the loop ends.
            if !mayHaveMore { try? await Task.sleep(for: Limits.warehousePause) }
        }
    }

    /// Looks for new events, and loads some.
    /// - Returns: whether there may be more.
    private func look(_ progress: inout WarehouseProgress) async throws -> Bool {
        let status = try await store.forwarding(of: destination.id)
        if progress.stored == nil { try await open(&progress, status) }
        progress.waiting = status.waiting.count
        if !status.waiting.isEmpty {
            try await loadWaiting(status.waiting, &progress)
            return true
        }
        let range = try await range(after: progress.position)
        if range.candidates.isEmpty {
            progress.saw(range.through)
            // The next start must not look through the rows of other sources again.
            guard progress.shouldMove(now: now()) else { return false }
        }
        try await load(range.candidates, through: range.through, isWaiting: false, &progress)
        progress.succeeded(now: now())
        return !range.isLast
    }

    /// Connects, and compares the position in the warehouse with that of the destination.
    private func open(_ progress: inout WarehouseProgress, _ status: Store.ForwardingStatus) async throws {
        let stored = try await warehouse.open(local: status.position)
        var position = min(stored.position, status.position)
        // The server died after the last load, and before it noted that. Or its data are from a backup: then the numbers
        // mean other events, and rows that are there already are not doubled.
        if stored.position > status.position, try await isOurs(stored) {
            try await note(loaded: status.position, stored.position)
            position = stored.position
        }
        progress.opened(stored, at: position)
    }

    /// Whether the store has the last event of the warehouse at its number.
    private func isOurs(_ stored: WarehousePosition) async throws -> Bool {
        let number = stored.lastSequence
        let rows = try await store.storage.rows(events.query(after: number - 1, before: number + 1))
        return try rows.first.map { try JSON.parse($0.text)["messageId"]?.stringValue } == stored.lastId
    }

    /// Counts events that are in the warehouse.
    private func note(loaded after: Int64, _ through: Int64) async throws {
        var changes = ForwardingChanges(position: after)
        while changes.position < through {
            let page = try await events.page(after: changes.position, limit: Limits.objectPage)
            for candidate in page.candidates where candidate.sequence <= through { changes.count(candidate) }
            changes.position = min(page.through, through)
            if page.isLast { changes.position = through }
        }
        if changes.delivered > 0 { changes.lastDeliveredAt = now() }
        try await store.save(changes, of: destination.id)
        metrics.forwarded(changes.outcomes, to: destination.name)
    }

    /// The next events, as many as are loaded together.
    private func range(after: Int64) async throws -> ForwardableEvents.Page {
        var candidates: [ForwardingMachine.Candidate] = []
        var (through, bytes) = (after, 0)
        while true {
            try Task.checkCancellation()
            let page = try await events.page(after: through, limit: Limits.objectPage)
            candidates += page.candidates
            bytes += page.candidates.reduce(0) { $0 + ($1.event?.body.count ?? 0) }
            through = page.through
            guard !page.isLast, candidates.count < Limits.warehouseRows, bytes < Limits.warehouseBytes else {
                return ForwardableEvents.Page(candidates: candidates, through: through, isLast: page.isLast)
            }
        }
    }

    /// Loads events out of their order: released events, and dead letters that are tried again.
    private func loadWaiting(_ waiting: [Undelivered], _ progress: inout WarehouseProgress) async throws {
        var candidates: [ForwardingMachine.Candidate] = []
        for event in waiting.prefix(Limits.forwardedAtOnce) {
            candidates.append(try await events.candidate(event.sequence))
        }
        try await load(candidates, through: progress.position, isWaiting: true, &progress)
    }

    /// Loads events and notes that. A load that the database refuses is halved, so that one bad event costs no other one.
    private func load(
        _ candidates: [ForwardingMachine.Candidate], through: Int64, isWaiting: Bool,
        _ progress: inout WarehouseProgress
    ) async throws {
        var changes = ForwardingChanges(position: through)
        for candidate in candidates {
            changes.count(candidate)
            if isWaiting { changes.remove(candidate.sequence) }
        }
        do {
            guard try await progress.load(candidates, through: through, in: warehouse) else { return }
        } catch let error as any WarehouseError where error.meaning == .refusesRows && !candidates.isEmpty {
            let middle = candidates.count / 2
            guard middle > 0 else {
                return try await giveUp(candidates[0], error, through, &progress)
            }
            let half = isWaiting ? through : candidates[middle - 1].sequence
            try await load(Array(candidates[..<middle]), through: half, isWaiting: isWaiting, &progress)
            // Nothing is skipped when the first half was not loaded.
            guard progress.position == half else { return }
            return try await load(Array(candidates[middle...]), through: through, isWaiting: isWaiting, &progress)
        }
        if changes.delivered > 0 { changes.lastDeliveredAt = now() }
        try await save(changes, &progress)
    }

    /// No column takes what the event says. It becomes a dead letter.
    private func giveUp(
        _ candidate: ForwardingMachine.Candidate, _ error: any WarehouseError, _ through: Int64,
        _ progress: inout WarehouseProgress
    ) async throws {
        guard let event = candidate.event, try await progress.load([], through: through, in: warehouse) else { return }
        var changes = ForwardingChanges(position: through)
        changes.keep(
            Undelivered(
                sequence: event.sequence, messageId: event.messageId, partition: event.partition, attempts: 1,
                since: now(), reason: error.text, deadAt: now()))
        changes.dead = 1
        try await save(changes, &progress)
    }

    /// Results that cannot be written now are written with the next ones.
    private func save(_ changes: ForwardingChanges, _ progress: inout WarehouseProgress) async throws {
        progress.unsaved = progress.unsaved.followed(by: changes)
        states.take(&progress.unsaved.filtered, of: destination.id)
        let unsaved = progress.unsaved
        try await store.save(unsaved, of: destination.id)
        progress.unsaved = ForwardingChanges(position: unsaved.position)
        metrics.forwarded(unsaved.outcomes, to: destination.name)
    }

    private func warn(_ text: Logger.Message, _ error: any Error) {
        failures.log(
            text, kind: "\(text)", logger, level: .warning,
            metadata: ["destination": "\(destination.name)", "error": "\(error)"])
    }
}

extension ForwardingMachine.Candidate {
    fileprivate var event: ForwardedEvent? {
        if case .event(let event) = self { event } else { nil }
    }
}

extension ForwardingChanges {
    /// Counts an event that the destination has, or does not get.
    fileprivate mutating func count(_ candidate: ForwardingMachine.Candidate) {
        switch candidate {
        case .event: delivered += 1
        case .leftOut(let sequence, let reason): leaveOut(sequence, reason)
        }
    }
}
