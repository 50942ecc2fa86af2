/// The result of a source stage that decides later whether an event goes on.
package final class PendingDecision: Sendable {
    private let handler = LockBox<(@Sendable (RoutedEvent) -> Void)?>(nil)

    package init() {}

    /// Decides what happens to the event. Call it on the executor. The first call counts.
    package func decide(_ result: RoutedEvent) {
        let handler = handler.exchange(nil)
        handler?(result)
    }

    /// Sets the handler of the decision. Call it on the executor, before `decide`.
    func whenDecided(_ handler: @escaping @Sendable (RoutedEvent) -> Void) {
        self.handler.withLock { $0 = handler }
    }
}
