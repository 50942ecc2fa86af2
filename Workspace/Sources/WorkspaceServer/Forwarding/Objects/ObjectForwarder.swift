import Logging
import WorkspaceCore

/// Writes the events of a source into a store of objects, with the present settings of a destination.
///
/// The position is stored after each range, before the next one begins. A range that was written and not stored is
/// written again after a crash, under the same names, so no event is in two objects.
struct ObjectForwarder: Sendable {
    let destination: Destination
    let events: ForwardableEvents
    let objects: S3Store
    let store: Store
    let states: ForwardingStates
    let metrics: ServerMetrics
    let now: @Sendable () -> Int64
    let logger: Logger
    let failures: RepeatedFailures

    /// Writes until a message says `stop`. A write that is under way is cut off, and is repeated at the next start.
    func run(_ messages: AsyncStream<Forwarder.Message>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await Self.stopped(messages) }
            group.addTask { await deliver() }
            await group.next()
            group.cancelAll()
        }
        states.put(nil, of: destination.id)
    }

    private static func stopped(_ messages: AsyncStream<Forwarder.Message>) async {
        for await message in messages {
            if case .stop = message { return }
        }
    }

    private func deliver() async {
        guard var schedule = await schedule() else { return }
        while !Task.isCancelled {
            var mayHaveMore = false
            do {
                mayHaveMore = try await look(&schedule)
            } catch {
                warn("events to forward cannot be read", error)
            }
            states.put(schedule.state, of: destination.id)
            // When the task is cancelled, the loop ends.
            if !mayHaveMore { try? await Task.sleep(for: Limits.objectPause) }
        }
    }

    /// Reads the position, and repeats until the database answers; nil when the forwarder has to stop before.
    private func schedule() async -> ObjectSchedule? {
        while !Task.isCancelled {
            do {
                return ObjectSchedule(position: try await store.forwarding(of: destination.id).position, now: now())
            } catch {
                warn("a destination cannot begin", error)
            }
            try? await Task.sleep(for: Limits.objectPause)
        }
        return nil
    }

    /// Looks for new rows, and writes a range if one is due.
    /// - Returns: whether there may be another one at once.
    private func look(_ schedule: inout ObjectSchedule) async throws -> Bool {
        // Rows that are written and not committed yet are read the next time.
        let end = try await store.lastSequence()
        if end > schedule.seen {
            let backlog = try await store.storage.backlog(
                of: destination.source, after: schedule.seen, atMost: schedule.countable)
            schedule.saw(backlog, through: end)
        }
        if schedule.shouldMove(now: now()) {
            try await store.save(ForwardingChanges(position: schedule.seen), of: destination.id)
            schedule.advance(to: schedule.seen, now: now())
        }
        guard schedule.isDue(now: now()) else { return false }
        let (range, ending) = try await events.range(
            after: schedule.position, through: schedule.unfinished ?? end, isFixed: schedule.unfinished != nil,
            format: objects.settings.format)
        guard ending != .lastRow || schedule.unfinished != nil || schedule.isHourOver(now: now()) else {
            schedule.wait(rows: range.rows)
            return false
        }
        return await write(range, &schedule)
    }

    private func write(_ range: ObjectRange, _ schedule: inout ObjectSchedule) async -> Bool {
        do {
            for object in try range.objects() {
                let answer = await objects.put(object.name, object.body, type: objects.settings.format.mediaType)
                guard case .accepted = answer else {
                    // The result of a request that was cut off is unknown; it is sent again after the next start.
                    if !Task.isCancelled { fail(range, answer, &schedule) }
                    return false
                }
            }
            var changes = range.changes
            changes.position = range.through
            if changes.delivered > 0 { changes.lastDeliveredAt = now() }
            try await store.save(changes, of: destination.id)
            metrics.forwarded(changes.outcomes, to: destination.name)
            // After the write: a range that cannot be noted is decided again.
            states.take(&changes.filtered, of: destination.id)
            schedule.advance(to: range.through, now: now())
            return true
        } catch {
            warn("what was forwarded cannot be noted", error)
            schedule.failed(
                through: range.through, "the server cannot note what was written", retryAfter: nil, now: now())
            return false
        }
    }

    private func fail(_ range: ObjectRange, _ answer: ForwardingAnswer, _ schedule: inout ObjectSchedule) {
        var pause: Int64?
        if case .unavailable(_, let told) = answer { pause = told }
        metrics.forwarded(["failed": range.changes.delivered], to: destination.name)
        schedule.failed(through: range.through, answer.text, retryAfter: pause, now: now())
    }

    private func warn(_ text: Logger.Message, _ error: any Error) {
        failures.log(
            text, kind: "\(text)", logger, level: .warning,
            metadata: ["destination": "\(destination.name)", "error": "\(error)"])
    }
}
