#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Dispatch
import Foundation

/// Passes signals from their handlers to a thread that informs the clients. A handler itself may do almost nothing.
///
/// The handler writes the signal's number into a pipe, waits at most half a second for the answer, and then does what
/// the program did with the signal before.
///
/// Unchecked because changing state is behind its lock, and the data of the handler is set before the handler can run.
final class SignalRelay: @unchecked Sendable {
    static let shared = SignalRelay()

    private struct State {
        var listeners: [ObjectIdentifier: Listener] = [:]
        var installed: Set<Int32> = []
        var isReading = false
    }

    /// Unchecked because a weak reference may be read on any thread.
    private struct Listener: @unchecked Sendable {
        weak var plugin: LinuxLifecycle?
    }

    private let state = LockBox(State())

    func add(_ plugin: LinuxLifecycle) {
        state.withLock { $0.listeners[ObjectIdentifier(plugin)] = Listener(plugin: plugin) }
    }

    func remove(_ plugin: LinuxLifecycle) {
        state.withLock { $0.listeners[ObjectIdentifier(plugin)] = nil }
    }

    /// Returns false when the signal cannot be caught, or when the program ignores it.
    func install(_ signal: Int32) -> Bool {
        state.withLock { state in
            guard signal > 0, signal < SignalTable.size else { return false }
            guard !state.installed.contains(signal) else { return true }
            guard state.isReading || beginReading() else { return false }
            state.isReading = true
            guard SignalTable.take(signal) else { return false }
            state.installed.insert(signal)
            return true
        }
    }

    private func beginReading() -> Bool {
        guard SignalTable.open() else { return false }
        let isReady = DispatchSemaphore(value: 0)
        let thread = Thread {
            // A handler that interrupts this thread would wait for an answer that only this thread can give. So no
            // handler may run here.
            SignalTable.blockSignals()
            isReady.signal()
            while let signal = SignalTable.next() {
                self.tell(signal)
                SignalTable.answer(signal)
            }
        }
        thread.name = "tributary.signals"
        thread.start()
        isReady.wait()
        return true
    }

    private func tell(_ signal: Int32) {
        let plugins = state.withLock { $0.listeners.values.compactMap(\.plugin) }
        for plugin in plugins { plugin.received(signal) }
    }
}
#endif
