/// Holds later events back until it is released. It is released at the latest when the last reference to it is gone, so
/// work that never happens cannot hold events for ever.
final class TurnHold: Sendable {
    private let action: LockBox<(@Sendable () -> Void)?>

    init(_ action: @escaping @Sendable () -> Void) { self.action = LockBox(action) }

    deinit { release() }

    /// Ends the hold. A repeated call does nothing.
    func release() {
        let action = action.exchange(nil)
        action?()
    }
}
