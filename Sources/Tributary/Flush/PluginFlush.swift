import Dispatch
import Foundation

/// One flush of the plugins: waits for the plugins that report their end.
///
/// Unchecked because what changes is behind the lock.
final class PluginFlush: @unchecked Sendable {
    private struct State {
        /// The plugins that are not done, with their names.
        var open: [ObjectIdentifier: String] = [:]
        var completion: (@Sendable () -> Void)?
    }

    private let state = LockBox(State())
    private let time: any TimeSource
    private let report: @Sendable (Diagnostic) -> Void

    init(time: any TimeSource, report: @escaping @Sendable (Diagnostic) -> Void) {
        self.time = time
        self.report = report
    }

    /// Adds a plugin that is about to be flushed, if it reports its end.
    func expect(_ plugin: any Plugin) {
        guard plugin is any FlushCompletion else { return }
        state.withLock { $0.open[ObjectIdentifier(plugin)] = plugin.name }
    }

    /// Flushes a plugin, on the thread on which it gets events.
    func tell(_ plugin: any Plugin) {
        guard let slow = plugin as? any FlushCompletion else {
            if let plugin = plugin as? any EventPlugin { plugin.flush() }
            return
        }
        let (id, group) = (ObjectIdentifier(plugin), DispatchGroup())
        slow.flush(group: group)
        group.notify(queue: .global()) { self.change { $0.open[id] = nil } }
    }

    /// Calls back when all plugins are done, or the longest wait is over.
    func finish(_ completion: @escaping @Sendable () -> Void) {
        guard state.withLock({ !$0.open.isEmpty }) else { return completion() }
        let timer = time.schedule(after: Limits.pluginFlushTimeout, on: .global()) { self.giveUp() }
        change { state in
            state.completion = {
                timer.cancel()
                completion()
            }
        }
    }

    private func giveUp() {
        let late = state.withLock { Array($0.open.values).inOrder() }
        for name in late {
            report(
                Diagnostic(
                    .pluginFault, "the plugin has not finished its flush after \(Int(Limits.pluginFlushTimeout)) s",
                    plugin: name))
        }
        change { $0.open = [:] }
    }

    private func change(_ body: (inout State) -> Void) {
        let completion = state.withLock { state -> (@Sendable () -> Void)? in
            body(&state)
            guard state.open.isEmpty else { return nil }
            defer { state.completion = nil }
            return state.completion
        }
        completion?()
    }
}
