#if canImport(UIKit) || canImport(AppKit) || canImport(WatchKit)
import Dispatch

/// Reports the start of an app once. The system's notification knows what the app was opened with. When the
/// notification was posted before the client was made, the start is reported without that.
final class StartNotice: Sendable {
    /// Seconds to wait for the notification. A client that is made before the notification must not report the start
    /// first.
    static let patience = 0.5

    private let isTold = LockBox(false)
    private let take: @Sendable (LifecycleStep) -> Void

    /// - Parameter isInBackground: whether nobody sees the app, to be asked on the main thread.
    init(
        _ analytics: Analytics, isInBackground: @escaping @Sendable () -> Bool = { false },
        _ take: @escaping @Sendable (LifecycleStep) -> Void
    ) {
        self.take = take
        analytics.time.schedule(after: Self.patience, on: .main) { [weak self] in
            self?.launched(.launched(isInBackground: isInBackground()))
        }
    }

    /// The app was started.
    func launched(_ step: LifecycleStep = .launched()) {
        let isFirst = isTold.withLock { isTold in
            defer { isTold = true }
            return !isTold
        }
        if isFirst { take(step) }
    }

    /// Something that happens only to an app that has started.
    func follows(_ step: LifecycleStep) {
        launched()
        take(step)
    }
}
#endif
