/// A source stage's word that it decides on an event later.
package final class PendingDecision: Sendable {
    private let handler = LockBox<(@Sendable (RoutedEvent) -> Void)?>(nil)

    package init() {}

    /// Says what becomes of the event. On the executor; the first call counts.
    package func decide(_ result: RoutedEvent) {
        let handler = handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        handler?(result)
    }

    /// What is done with the decision. To be called on the executor, before there can be one.
    func whenDecided(_ handler: @escaping @Sendable (RoutedEvent) -> Void) {
        self.handler.withLock { $0 = handler }
    }
}
