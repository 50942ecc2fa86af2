import Dispatch
package import Tributary

/// A destination that comes back from an event only when the test lets it.
///
/// Unchecked because what changes is behind the lock, and `analytics` is set once, before events come.
package final class HeldDestination: DestinationPlugin, @unchecked Sendable {
    private struct State {
        var begun: [String] = []
        var done: [String] = []
        var isOpen = false
        var isShutDown = false
        var watchers: [(isMet: @Sendable (Int, Int) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    package let type = PluginType.destination
    package let name: String
    package let timeline = Timeline()
    package weak var analytics: Analytics?
    private let permits = DispatchSemaphore(value: 0)
    private let state = LockBox(State())

    package init(_ name: String) { self.name = name }

    /// Names of the events that it has been given.
    package var begun: [String] { state.withLock { $0.begun } }
    /// Names of the events that it came back from.
    package var done: [String] { state.withLock { $0.done } }
    package var isShutDown: Bool { state.withLock { $0.isShutDown } }

    /// Lets the destination return from that many events.
    package func admit(_ count: Int = 1) { for _ in 0..<count { permits.signal() } }

    /// Lets the destination return from every event at once.
    package func open() {
        state.withLock { $0.isOpen = true }
        permits.signal()
    }

    /// Waits until the destination has got that many events.
    package func hasBegun(_ count: Int) async { await wait { begun, _ in begun >= count } }

    /// Waits until the destination has returned from that many events.
    package func hasDone(_ count: Int) async { await wait { _, done in done >= count } }

    package func track(event: TrackEvent) -> TrackEvent? {
        let isOpen = state.withLock { state in
            state.begun.append(event.event)
            Self.resume(&state)
            return state.isOpen
        }
        if !isOpen { permits.wait() }
        state.withLock { state in
            state.done.append(event.event)
            Self.resume(&state)
        }
        return event
    }

    package func shutdown() { state.withLock { $0.isShutDown = true } }

    private func wait(until isMet: @escaping @Sendable (Int, Int) -> Bool) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.watchers.append((isMet, continuation))
                Self.resume(&state)
            }
        }
    }

    private static func resume(_ state: inout State) {
        let (begun, done) = (state.begun.count, state.done.count)
        state.watchers.removeAll { watcher in
            guard watcher.isMet(begun, done) else { return false }
            watcher.continuation.resume()
            return true
        }
    }
}
