import Foundation

/// Calls back for chosen notifications, on the thread that posts them.
///
/// Unchecked because the observers are behind their lock, and the notification centre may be used from any thread.
final class NotificationWatch: @unchecked Sendable {
    private struct State {
        var observers: [any NSObjectProtocol] = []
        var hasEnded = false
    }

    private let state = LockBox(State())

    func on(_ name: Notification.Name, _ body: @escaping @Sendable (Notification) -> Void) {
        let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil, using: body)
        let isLate = state.withLock { state in
            if !state.hasEnded { state.observers.append(observer) }
            return state.hasEnded
        }
        if isLate { NotificationCenter.default.removeObserver(observer) }
    }

    /// Ends all calls, also those for notifications that are chosen later.
    func stop() {
        let ended = state.withLock { state in
            defer { state = State(hasEnded: true) }
            return state.observers
        }
        for observer in ended { NotificationCenter.default.removeObserver(observer) }
    }

    deinit { stop() }
}
