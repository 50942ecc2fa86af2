/// A handler that the client calls until it is cancelled.
///
/// Keep it to cancel the observation later. Releasing it has no effect: the client calls the handler as long as the
/// client lives.
///
/// ```swift
/// let observation = analytics.observeDiagnostics { print($0) }
/// observation.cancel()
/// ```
public struct Observation: Sendable {
    private let end: @Sendable () -> Void

    package init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    /// Ends the observation. The handler is not called again; a call that has begun goes on. May be called from any
    /// thread and more than once.
    public func cancel() { end() }
}
