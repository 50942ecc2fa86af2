import Dispatch
import Foundation

/// Decides when a client begins to process events.
///
/// Unchecked because what changes is only touched on the executor, and `changed` is set before anything else is called.
final class StartGate: @unchecked Sendable {
    /// Plugins added right after the client was made are waited for that long, when nothing says that all are there.
    private static let turnTimeout: TimeInterval = 0.1

    private let executor: ClientExecutor
    /// Seconds that a plugin may keep the client waiting.
    private let waitingTimeout: TimeInterval
    private let report: @Sendable (Diagnostic) -> Void
    private let sharedBlocker = LockBox<UploadObstacle?>(ProcessingState().blocker)
    private var changed: @Sendable () -> Void = {}

    /// On the executor.
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

    /// - Parameter changed: called on the executor when processing may be able to begin.
    func whenChanged(_ changed: @escaping @Sendable () -> Void) { self.changed = changed }

    // MARK: On any thread

    /// Why events are not processed right now; nil when they are.
    var blocker: UploadObstacle? { sharedBlocker.withLock { $0 } }

    /// Gives the app its chance to add plugins: until the main thread, on which the client was made, is done with what it
    /// does now, else for a moment.
    func begin() {
        executor.schedule(after: Self.turnTimeout) { [weak self] in self?.turned() }
        guard Thread.isMainThread else { return }
        DispatchQueue.main.async { [weak self] in
            guard let self else { return }
            executor.perform { self.turned() }
        }
    }

    /// Holds processing until the plugin calls `resume`, or its time is over.
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

    /// The start waits for a plugin no longer.
    func stopWaiting(for id: ObjectIdentifier) {
        if state.stopWaiting(for: id) { changed() }
    }

    private func giveUpWaiting(for id: ObjectIdentifier, _ name: String) {
        guard state.stopWaiting(for: id) else { return }
        report(
            Diagnostic(
                .pluginFault, "processing goes on without waiting any longer: \(waitingTimeout) s are over",
                plugin: name))
        changed()
    }
}
