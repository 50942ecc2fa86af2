/// A value that only one thread at a time reads or changes.
///
/// ```swift
/// @Atomic var seen = 0
/// _seen.mutate { $0 += 1 }
/// ```
@propertyWrapper
// Unchecked because the value is only touched while the lock of its box is held.
public final class Atomic<Value>: @unchecked Sendable {
    private let box: LockBox<Value>

    /// A box with that value.
    public init(wrappedValue value: Value) { box = LockBox(value) }

    /// The value. Reading it and setting it are two steps; ``mutate(_:)`` is one.
    public var wrappedValue: Value {
        get { box.current }
        set { box.withLock { $0 = newValue } }
    }

    /// Replaces the value.
    public func set(_ newValue: Value) { box.withLock { $0 = newValue } }

    /// Changes the value. No other thread can read or change it meanwhile. The closure must not use this value's box.
    public func mutate(_ mutation: (inout Value) -> Void) { box.withLock { mutation(&$0) } }
}
