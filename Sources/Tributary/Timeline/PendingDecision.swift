/// A source stage returns this when it decides later whether an event goes on.
package final class PendingDecision: Sendable {
    private let handler = LockBox<(@Sendable (RoutedEvent) -> Void)?>(nil)

    package init() {}

    /// Decides what becomes of the event. To be called on the executor. The first call counts.
    package func decide(_ result: RoutedEvent) {
        let handler = handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        handler?(result)
    }

    /// Sets what is done with the decision. To be called on the executor, before `decide`.
    func whenDecided(_ handler: @escaping @Sendable (RoutedEvent) -> Void) {
        self.handler.withLock { $0 = handler }
    }
}
