/// A change of the plugins that see events, made once, behind everything that was tracked before it was asked for.
///
/// Unchecked because the action is only touched on the executor, and everything else is constant.
final class Change: @unchecked Sendable {
    /// Where the inbox ended when it was asked for.
    let place: LogPosition
    /// On the executor.
    private(set) var isMade = false
    private var action: (@Sendable () -> Void)?

    init(after place: LogPosition, _ action: @escaping @Sendable () -> Void) {
        self.place = place
        self.action = action
    }

    /// On the executor.
    func make() {
        let action = action
        self.action = nil
        isMade = true
        action?()
    }
}
