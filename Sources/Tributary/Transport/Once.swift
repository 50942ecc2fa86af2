/// Calls its completion the first time only: a deadline and an answer may come together, or an answer twice.
final class Once<Value>: Sendable {
    private let completion: LockBox<(@Sendable (Value) -> Void)?>

    init(_ completion: @escaping @Sendable (Value) -> Void) { self.completion = LockBox(completion) }

    /// - Returns: whether this was the first time.
    @discardableResult
    func call(_ value: Value) -> Bool {
        let first = completion.withLock { completion in
            defer { completion = nil }
            return completion
        }
        first?(value)
        return first != nil
    }
}
