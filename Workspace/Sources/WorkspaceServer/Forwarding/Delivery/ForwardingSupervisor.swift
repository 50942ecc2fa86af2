import AsyncHTTPClient
package import Logging
package import WorkspaceCore

/// Runs a `Forwarder` for each destination that is on, and a new one when a destination changes.
package actor ForwardingSupervisor {
    private struct Running {
        let destination: Destination
        let inbox: Forwarder.Inbox
        let task: Task<Void, Never>
        /// Announces commits; nil for a forwarder that looks for new events by itself.
        let listener: Task<Void, Never>?
    }

    private let store: Store
    private let sources: SourceRegistry
    private let states: ForwardingStates
    private let metrics: ServerMetrics
    private let commitSignal: CommitSignal
    private let now: @Sendable () -> Int64
    private let logger: Logger
    /// The folder of destinations of the kind files; nil when this server writes none.
    private let filesFolder: String?
    /// The path of the program `tributary`, which runs functions; nil when another program is the server.
    private let program: String?
    /// Whether this server forwards to a destination: one node of a cluster does.
    private let forwards: @Sendable (Int64) -> Bool
    /// False for a server that was started for repair.
    private let isForwarding: Bool
    private var running: [Int64: Running] = [:]
    /// Nil while no events are delivered.
    private var client: HTTPClient?
    /// Changes follow one another, since a forwarder has to end before the next one of its destination begins.
    private var turn: Task<Void, Never>?

    package init(
        store: Store, sources: SourceRegistry, states: ForwardingStates, metrics: ServerMetrics,
        commitSignal: CommitSignal, filesFolder: String?, program: String?, isForwarding: Bool = true,
        forwards: @escaping @Sendable (Int64) -> Bool = { _ in true },
        now: @escaping @Sendable () -> Int64, logger: Logger
    ) {
        (self.filesFolder, self.program, self.isForwarding) = (filesFolder, program, isForwarding)
        self.forwards = forwards
        (self.store, self.sources, self.states, self.metrics) = (store, sources, states, metrics)
        (self.commitSignal, self.now, self.logger) = (commitSignal, now, logger)
    }

    /// Why a server that was started for repair forwards nothing.
    static let isOff = "nothing is forwarded: the server was started with --without-forwarding"

    func start(with client: HTTPClient) async {
        self.client = client
        await follow()
    }

    func stop() async {
        client = nil
        await follow()
    }

    /// Starts and stops forwarders to match the destinations in the database; returns when that is done.
    package func follow() async {
        let before = turn
        let mine = Task {
            await before?.value
            await agree()
        }
        turn = mine
        await mine.value
    }

    /// Dead letters will be tried again.
    func retry(_ letters: [Undelivered], of destination: Int64) { running[destination]?.inbox.yield(.retry(letters)) }

    /// The way to a destination, apart from that of its forwarder.
    func delivery(to destination: Destination, of writeKey: String) throws(Refusal) -> DestinationDelivery {
        guard isForwarding else { throw Refusal(.conflict, Self.isOff) }
        guard let client else { throw Refusal(.unavailable, "nothing is forwarded right now") }
        return try destination.kind.delivery(
            to: destination, of: writeKey, over: client, folder: filesFolder, program: program, now: now, logger: logger
        )
    }

    /// Whether this server can run the scripts of functions.
    nonisolated var runsFunctions: Bool { program != nil }

    /// - Throws: `Refusal` when this server cannot forward to destinations of that kind.
    nonisolated func check(_ kind: DestinationKind) throws(Refusal) {
        if kind == .files, filesFolder == nil { throw DestinationKind.withoutFolder }
        if kind == .function, program == nil { throw DestinationKind.withoutProgram }
    }

    private func agree() async {
        var wanted: [Int64: (destination: Destination, writeKey: String)] = [:]
        if client != nil {
            do {
                for entry in try await store.enabledDestinations() where forwards(entry.destination.id) {
                    wanted[entry.destination.id] = entry
                }
            } catch {
                return logger.error("the destinations cannot be read", metadata: ["error": "\(error)"])
            }
        }
        let ending = running.values.filter { wanted[$0.destination.id]?.destination != $0.destination }
        for entry in ending {
            running[entry.destination.id] = nil
            entry.listener?.cancel()
            entry.inbox.yield(.stop)
        }
        for entry in ending { await entry.task.value }
        for entry in wanted.values where running[entry.destination.id] == nil {
            begin(entry.destination, writeKey: entry.writeKey)
        }
    }

    private func begin(_ destination: Destination, writeKey: String) {
        let (messages, inbox) = AsyncStream.makeStream(of: Forwarder.Message.self)
        let events = ForwardableEvents(
            store: store, sources: sources, writeKey: writeKey, source: destination.source,
            destination: destination.name, categories: destination.categories, logger: logger)
        let failures = RepeatedFailures(now: now)
        do {
            switch try delivery(to: destination, of: writeKey) {
            case .events(let connection):
                let forwarder = Forwarder(
                    destination: destination, events: events, connection: connection, store: store, states: states,
                    metrics: metrics, now: now, logger: logger, failures: failures)
                running[destination.id] = Running(
                    destination: destination, inbox: inbox, task: task { await forwarder.run(messages, inbox) },
                    listener: listen(inbox))
            case .objects(let objects):
                let forwarder = ObjectForwarder(
                    destination: destination, events: events, objects: objects, store: store, states: states,
                    metrics: metrics, now: now, logger: logger, failures: failures)
                running[destination.id] = Running(
                    destination: destination, inbox: inbox, task: task { await forwarder.run(messages) }, listener: nil)
            case .tables(let warehouse):
                let forwarder = WarehouseForwarder(
                    destination: destination, events: events, warehouse: warehouse, store: store, states: states,
                    metrics: metrics, now: now, logger: logger, failures: failures)
                running[destination.id] = Running(
                    destination: destination, inbox: inbox, task: task { await forwarder.run(messages) }, listener: nil)
            }
        } catch {
            logger.error(
                "a destination cannot be used",
                metadata: ["destination": "\(destination.name)", "reason": "\(error.message)"])
        }
    }

    private func task(_ run: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: ForwardingExecutor.shared) { await run() }
    }

    /// Announces commits. Many in a short time are announced once.
    private func listen(_ inbox: Forwarder.Inbox) -> Task<Void, Never> {
        Task { [commitSignal] in
            while !Task.isCancelled {
                let count = commitSignal.count
                inbox.yield(.eventsCame)
                await commitSignal.wait(after: count)
                // A cancelled wait ends early, and the loop with it.
                try? await Task.sleep(for: Limits.forwardingDelay)
            }
        }
    }
}
