/// A handler that the client calls until it is cancelled.
///
/// Keep it to cancel it later. Letting go of it changes nothing: the handler is called as long as the client lives.
///
/// ```swift
/// let observation = analytics.observeDiagnostics { print($0) }
/// observation.cancel()
/// ```
public struct Observation: Sendable {
    private let end: @Sendable () -> Void

    package init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    /// Ends the observation. The handler is not called any more, except for a call that has begun. May be called from any
    /// thread and more than once.
    public func cancel() { end() }
}
