import Foundation

/// Calls back when the system reports a change of language or time zone.
///
/// Unchecked because it never changes after its init; the notification centre accepts observers from any thread.
final class ContextWatch: @unchecked Sendable {
    private let observers: [any NSObjectProtocol]

    init(_ changed: @escaping @Sendable () -> Void) {
        observers = [NSLocale.currentLocaleDidChangeNotification, .NSSystemTimeZoneDidChange].map { name in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in changed() }
        }
    }

    deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }
}
