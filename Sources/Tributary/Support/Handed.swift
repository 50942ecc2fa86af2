/// Passes a value to its next owner, which the compiler cannot check.
///
/// Unchecked because only one side touches the value at a time: who hands it over does not use it any more, or both are on
/// the same thread.
package struct Handed<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
