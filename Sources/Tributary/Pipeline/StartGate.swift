import Dispatch
import Foundation

/// Decides when a client begins to process events.
///
/// Unchecked because mutable state is only touched on the executor, and `changed` is set before anything else is
/// called.
final class StartGate: @unchecked Sendable {
    /// Seconds to wait for plugins that the app adds right after making the client, when nothing shows that it has
    /// added all.
    private static let turnTimeout: TimeInterval = 0.1

    private let executor: ClientExecutor
    /// The longest time in seconds that a plugin can delay the start.
    private let waitingTimeout: TimeInterval
    private let report: @Sendable (Diagnostic) -> Void
    private let sharedBlocker = LockBox<UploadObstacle?>(ProcessingState().blocker)
    private var changed: @Sendable () -> Void = {}

    /// Only on the executor.
    var state = ProcessingState() {
        didSet { sharedBlocker.withLock { $0 = state.blocker } }
    }

    init(
        executor: ClientExecutor, waitingTimeout: TimeInterval, report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.executor = executor
        self.waitingTimeout = waitingTimeout
        self.report = report
    }

    /// - Parameter changed: called on the executor when processing may have become possible.
    func whenChanged(_ changed: @escaping @Sendable () -> Void) { self.changed = changed }

    // MARK: On any thread

    /// The reason why events are not processed now; nil when they are.
    var blocker: UploadObstacle? { sharedBlocker.withLock { $0 } }

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

    /// Holds processing until the plugin calls `resume` or its time is over.
    func pause(for plugin: any Plugin) {
        let id = ObjectIdentifier(plugin)
        let name = plugin.name
        executor.performNow { [self] in
            state.wait(for: id)
            executor.schedule(after: waitingTimeout) { [weak self] in self?.giveUpWaiting(for: id, name) }
        }
    }

    func resume(for plugin: any Plugin) {
        let id = ObjectIdentifier(plugin)
        executor.perform { self.stopWaiting(for: id) }
    }

    // MARK: On the executor

    private func turned() {
        if state.turned() { changed() }
    }

    /// Ends the wait for a plugin.
    func stopWaiting(for id: ObjectIdentifier) {
        if state.stopWaiting(for: id) { changed() }
    }

    private func giveUpWaiting(for id: ObjectIdentifier, _ name: String) {
        guard state.stopWaiting(for: id) else { return }
        report(
            Diagnostic(
                .pluginFault, "the plugin held processing for \(waitingTimeout) s; processing goes on",
                plugin: name))
        changed()
    }
}
