import Foundation

/// Calls for chosen notifications, on the thread that posts them.
///
/// Unchecked because the observers are behind their lock; the notification centre may be used from any thread.
final class NotificationWatch: @unchecked Sendable {
    private let observers = LockBox<[any NSObjectProtocol]>([])

    func on(_ name: Notification.Name, _ body: @escaping @Sendable (Notification) -> Void) {
        let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil, using: body)
        observers.withLock { $0.append(observer) }
    }

    func stop() {
        let ended = observers.withLock { observers in
            defer { observers = [] }
            return observers
        }
        for observer in ended { NotificationCenter.default.removeObserver(observer) }
    }

    deinit { stop() }
}
