import Dispatch
import Foundation

extension Analytics {
    /// Waits until events are processed: settings are known, and plugins and destinations have been given them. Also
    /// returns when the client ends before that.
    ///
    /// For tools and tests; apps want `onReady`. It takes at most as long as `settingsTimeout` and plugins that ask to be
    /// waited for say. On the main thread, what waits for that thread runs meanwhile. On the client's own threads, where
    /// plugins are called, it returns at once with a diagnostic: the client would wait for itself.
    public func waitUntilStarted() {
        guard !pipeline.executor.isPluginCalling else {
            return report(Diagnostic(.configuration, "waitUntilStarted() was called by a plugin; it does not wait"))
        }
        let hasStarted = DispatchSemaphore(value: 0)
        pipeline.onReadyOrEnd { hasStarted.signal() }
        guard Thread.isMainThread else { return hasStarted.wait() }
        // The main queue may be the caller, and is not served again then; so neither of both is waited for alone.
        while hasStarted.wait(timeout: .now() + Self.mainThreadTurn) != .success {
            _ = RunLoop.main.run(mode: .default, before: Date())
        }
    }

    /// Seconds between two looks at what waits for the main thread.
    private static let mainThreadTurn = 0.002
}
