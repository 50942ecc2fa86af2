import Dispatch
import Foundation

extension Analytics {
    /// Waits until events are processed: settings are known, and plugins and destinations have them. The call also
    /// returns when the client ends earlier.
    ///
    /// For tools and tests; apps should use `onReady`. The wait takes at most `settingsTimeout` plus the time that
    /// waiting plugins may ask for. On the main thread, the call runs the work that waits for the main thread. When a
    /// plugin makes the call, it returns at once with a diagnostic, because the client would wait for itself.
    public func waitUntilStarted() {
        guard !pipeline.executor.isPluginCalling else {
            return report(Diagnostic(.configuration, "waitUntilStarted() was called by a plugin; it does not wait"))
        }
        let hasStarted = DispatchSemaphore(value: 0)
        pipeline.onReadyOrEnd { hasStarted.signal() }
        guard Thread.isMainThread else { return hasStarted.wait() }
        // A caller on the main queue blocks that queue. So the wait alternates between the semaphore and the run loop.
        while hasStarted.wait(timeout: .now() + Self.mainThreadTurn) != .success {
            _ = RunLoop.main.run(mode: .default, before: Date())
        }
    }

    /// Seconds between two runs of the main run loop.
    private static let mainThreadTurn = 0.002
}
