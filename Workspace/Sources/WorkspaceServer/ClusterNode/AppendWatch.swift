/// Measures for how long a log has taken no request although requests wait for it. A pure value.
struct AppendWatch: Sendable {
    private var waiting = 0
    /// When the log last took a request, or when the first waiting request came if that was later; nil while none
    /// waits.
    private var since: ContinuousClock.Instant?

    /// A request waits for the log.
    mutating func begin(at now: ContinuousClock.Instant) {
        if waiting == 0 { since = now }
        waiting += 1
    }

    /// A request no longer waits.
    /// - Parameter isTaken: whether the log has it.
    mutating func end(isTaken: Bool, at now: ContinuousClock.Instant) {
        waiting = max(0, waiting - 1)
        if isTaken { since = now }
        if waiting == 0 { since = nil }
    }

    /// For how long the log has taken no request; zero while none waits.
    func stuck(at now: ContinuousClock.Instant) -> Duration { since.map { max(.zero, now - $0) } ?? .zero }
}
