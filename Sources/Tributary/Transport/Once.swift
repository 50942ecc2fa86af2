/// Calls its completion only once: a deadline and an answer may coincide, or an answer may come twice.
final class Once<Value>: Sendable {
    private let completion: LockBox<(@Sendable (Value) -> Void)?>

    init(_ completion: @escaping @Sendable (Value) -> Void) { self.completion = LockBox(completion) }

    /// - Returns: whether this was the first call.
    @discardableResult
    func call(_ value: Value) -> Bool {
        let first = completion.exchange(nil)
        first?(value)
        return first != nil
    }
}
