import Logging
import WorkspaceCore

/// Delivers to one destination with its present settings: it carries out the decisions of a `ForwardingMachine`.
///
/// One task owns the machine. Other tasks send it inputs through the inbox.
struct Forwarder: Sendable {
    enum Message: Sendable {
        case eventsCame
        case page(Result<ForwardableEvents.Page, any Error>)
        case loaded(Int64, Result<ForwardingMachine.Candidate, any Error>)
        case answered(ForwardedEvent, ForwardingAnswer)
        /// Dead letters will be tried again; the database has them already.
        case retry([Undelivered])
        case woke, note, stop, stopNow
    }

    typealias Inbox = AsyncStream<Message>.Continuation

    let destination: Destination
    let events: ForwardableEvents
    let connection: any DestinationConnection
    let store: Store
    let states: ForwardingStates
    let metrics: ServerMetrics
    let now: @Sendable () -> Int64
    let logger: Logger
    /// While the disk is full, each attempt fails in the same way.
    let failures: RepeatedFailures

    /// Delivers until `stop` is called. Requests that are under way then get some time to end.
    func run(_ messages: AsyncStream<Message>, _ inbox: Inbox) async {
        var messages = messages.makeAsyncIterator()
        guard var machine = await machine(&messages, inbox) else { return }
        var (wake, note) = (Alarm(), Alarm())
        await withDiscardingTaskGroup { group in
            group.addTask { await connection.accompany() }
            for action in machine.next(now: now()) { perform(action, inbox, &group) }
            loop: while let message = await messages.next() {
                switch message {
                case .note:
                    note.rang()
                    await save(&machine)
                case .woke: wake.rang()
                case .stop:
                    machine.stop()
                    stop(machine, inbox, &group)
                case .stopNow: break loop
                default: for action in handle(message, &machine) { perform(action, inbox, &group) }
                }
                for action in machine.next(now: now()) { perform(action, inbox, &group) }
                if machine.isStopping, machine.isQuiet { break }
                states.put(machine.state, of: destination.id)
                wake.ring(at: machine.wakeTime(now: now()), now: now()) { inbox.yield(.woke) }
                note.ring(at: machine.noteTime(now: now()), now: now()) { inbox.yield(.note) }
            }
            group.cancelAll()
        }
        wake.cancel()
        note.cancel()
        machine.putAway()
        await save(&machine)
        states.put(nil, of: destination.id)
    }

    /// Restores the machine from the database, and repeats until the database answers; nil when the forwarder has to
    /// stop before.
    private func machine(
        _ messages: inout AsyncStream<Message>.Iterator, _ inbox: Inbox
    ) async -> ForwardingMachine? {
        while true {
            do {
                let standing = try await store.forwarding(of: destination.id)
                return ForwardingMachine(
                    position: standing.position, waiting: standing.waiting, noted: standing.noted,
                    parallel: connection.parallelRequests,
                    notePause: store.settings.isShared ? Limits.sharedForwardingPause : Limits.forwardingPause,
                    share: destination.split?.share)
            } catch {
                failures.log(
                    "a destination cannot begin", kind: "begin", logger,
                    metadata: ["destination": "\(destination.name)", "error": "\(error)"])
            }
            var pause = Alarm()
            let now = now()
            pause.ring(at: now + Limits.forwardingRetry, now: now) { inbox.yield(.woke) }
            // Other inputs of this time are in the database too.
            waiting: while let message = await messages.next() {
                switch message {
                case .woke: break waiting
                case .stop: return nil
                default: continue
                }
            }
        }
    }

    private func handle(_ message: Message, _ machine: inout ForwardingMachine) -> [ForwardingMachine.Action] {
        switch message {
        case .eventsCame: machine.eventsCame()
        case .page(.success(let page)): machine.take(page.candidates, through: page.through, isLast: page.isLast)
        case .page(.failure(let error)):
            warn("events to forward cannot be read", error)
            machine.readFailed(now: now())
        case .loaded(_, .success(let candidate)): return machine.loaded(candidate)
        case .loaded(let sequence, .failure(let error)):
            warn("an event to forward cannot be read", error)
            machine.loadFailed(sequence, now: now())
        case .answered(let event, let answer): machine.answered(event, answer, now: now())
        case .retry(let letters): machine.retry(letters)
        case .woke, .note, .stop, .stopNow: break
        }
        return []
    }

    private func perform(
        _ action: ForwardingMachine.Action, _ inbox: Inbox, _ group: inout DiscardingTaskGroup
    ) {
        group.addTask {
            switch action {
            case .read(let after):
                do {
                    inbox.yield(.page(.success(try await events.page(after: after))))
                } catch {
                    inbox.yield(.page(.failure(error)))
                }
            case .load(let sequence):
                do {
                    inbox.yield(.loaded(sequence, .success(try await events.candidate(sequence))))
                } catch {
                    inbox.yield(.loaded(sequence, .failure(error)))
                }
            case .send(let event):
                let answer = await connection.send(event)
                // The result of a request that was cut off is unknown; it is sent again after the next start.
                if !Task.isCancelled { inbox.yield(.answered(event, answer)) }
            }
        }
    }

    private func stop(_ machine: ForwardingMachine, _ inbox: Inbox, _ group: inout DiscardingTaskGroup) {
        let patience = machine.isTaking ? Limits.forwardingStop : Limits.forwardingStopUnproven
        group.addTask {
            // When the task is cancelled, all is done already.
            try? await Task.sleep(for: patience)
            inbox.yield(.stopNow)
        }
    }

    /// Results that cannot be written now are written with the next ones.
    private func save(_ machine: inout ForwardingMachine) async {
        guard var changes = machine.takeChanges() else { return }
        states.take(&changes.filtered, of: destination.id)
        do {
            try await store.save(changes, of: destination.id, split: destination.split)
            metrics.forwarded(changes.outcomes, to: destination.name)
        } catch {
            warn("what was forwarded cannot be noted", error)
            machine.takeBack(changes)
        }
    }

    private func warn(_ text: Logger.Message, _ error: any Error) {
        failures.log(
            text, kind: "\(text)", logger, level: .warning,
            metadata: ["destination": "\(destination.name)", "error": "\(error)"])
    }
}

/// Rings at the earliest of the requested times. The caller must expect a ring too many.
struct Alarm: Sendable {
    private var time: Int64?
    private var task: Task<Void, Never>?

    /// - Parameters:
    ///   - time: milliseconds since 1970; nil requests nothing.
    ///   - ring: called once, on any thread.
    mutating func ring(at time: Int64?, now: Int64, _ ring: @escaping @Sendable () -> Void) {
        guard let time, time < self.time ?? .max else { return }
        task?.cancel()
        self.time = time
        task = Task {
            do {
                try await Task.sleep(for: .milliseconds(max(0, time - now)))
                ring()
            } catch {
                // A later call requested another time.
            }
        }
    }

    mutating func rang() { (time, task) = (nil, nil) }

    func cancel() { task?.cancel() }
}
