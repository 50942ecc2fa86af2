#if canImport(UIKit) || canImport(AppKit) || canImport(WatchKit)
import Dispatch

/// Reports the start of an app once. The system's notification says what the app was opened with. When the notification
/// came before the client was made, the report has no such information.
final class StartNotice: Sendable {
    /// Seconds to wait for the notification. Without the wait, a client that is made before the notification would
    /// report the start first.
    static let patience = 0.5

    private let isTold = LockBox(false)
    private let take: @Sendable (LifecycleStep) -> Void

    /// - Parameter isInBackground: whether the user does not see the app. Called on the main thread.
    init(
        _ analytics: Analytics, isInBackground: @escaping @Sendable () -> Bool = { false },
        _ take: @escaping @Sendable (LifecycleStep) -> Void
    ) {
        self.take = take
        analytics.time.schedule(after: Self.patience, on: .main) { [weak self] in
            self?.launched(.launched(isInBackground: isInBackground()))
        }
    }

    /// Reports the start of the app.
    func launched(_ step: LifecycleStep = .launched()) {
        if !isTold.exchange(true) { take(step) }
    }

    /// Reports a step that only an app that has started can take.
    func follows(_ step: LifecycleStep) {
        launched()
        take(step)
    }
}
#endif
