import Dispatch
import Foundation

/// Decides when a client begins to process events.
final class StartGate: Sendable {
    /// Seconds to wait for plugins that the app adds right after making the client, when nothing shows that it has
    /// added all.
    private static let turnTimeout: TimeInterval = 0.1

    private let executor: ClientExecutor
    /// The longest time in seconds that a plugin can delay the start.
    private let waitingTimeout: TimeInterval
    private let report: @Sendable (Diagnostic) -> Void
    private let shared = LockBox(ProcessingState())
    private let onChange = LockBox<@Sendable () -> Void>({})

    init(
        executor: ClientExecutor, waitingTimeout: TimeInterval, report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.executor = executor
        self.waitingTimeout = waitingTimeout
        self.report = report
    }

    /// - Parameter changed: called on the executor when processing may have become possible.
    func whenChanged(_ changed: @escaping @Sendable () -> Void) { onChange.withLock { $0 = changed } }

    // MARK: On any thread

    var state: ProcessingState { shared.current }

    /// Whether the next event may be processed. It is asked before each event, because a plugin may ask for time on any
    /// thread, and what is tracked afterwards has to wait.
    var mayProcess: Bool { shared.withLock { $0.mayProcess } }

    /// Changes the state. What follows from that is the caller's.
    func change<Result>(_ body: (inout ProcessingState) -> Result) -> Result { shared.withLock(body) }

    /// Gives the app time to add plugins. A client that was made on the main thread waits until that thread has
    /// finished its present work; any other client waits for a moment.
    func begin() {
        executor.schedule(after: Self.turnTimeout) { [weak self] in self?.turned() }
        guard Thread.isMainThread else { return }
        DispatchQueue.main.async { [weak self] in
            guard let self else { return }
            executor.perform { self.turned() }
        }
    }

    /// Holds processing until the plugin calls `resume` or its time is over. No event that is tracked after this call is
    /// processed before.
    func pause(for plugin: any Plugin) {
        let id = ObjectIdentifier(plugin)
        let name = plugin.name
        guard let number = change({ $0.wait(for: id) }) else { return }
        executor.schedule(after: waitingTimeout) { [weak self] in self?.giveUpWaiting(for: id, number, name) }
    }

    func resume(for plugin: any Plugin) { stopWaiting(for: ObjectIdentifier(plugin)) }

    /// Ends the wait for a plugin.
    func stopWaiting(for id: ObjectIdentifier) {
        guard change({ $0.stopWaiting(for: id) }) else { return }
        executor.perform { self.changed() }
    }

    // MARK: On the executor

    private func changed() { onChange.current() }

    private func turned() {
        if change({ $0.turned() }) { changed() }
    }

    private func giveUpWaiting(for id: ObjectIdentifier, _ number: Int, _ name: String) {
        guard change({ $0.isWaiting(for: id, number) && $0.stopWaiting(for: id) }) else { return }
        report(
            Diagnostic(
                .pluginFault, "the plugin held processing for \(waitingTimeout) s; processing goes on",
                plugin: name))
        changed()
    }
}
