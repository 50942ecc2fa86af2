/// How fast a body comes. A pure value; times are nanoseconds and are passed in.
///
/// Only the time in which the server waits for its client counts. A server that is busy, or that holds a body back, does
/// not take a client for a slow one.
struct BodyPace: Equatable {
    private var bytes: Int64 = 0
    /// Nanoseconds in which the server waited before `waitsSince`.
    private var waited: Int64 = 0
    private var waitsSince: Int64?

    /// The server asks for more of the body.
    mutating func wait(now: Int64) { waitsSince = waitsSince ?? now }

    /// A part of the body has come.
    mutating func arrived(_ count: Int, now: Int64) {
        bytes += Int64(count)
        if let waitsSince { waited += now - waitsSince }
        waitsSince = nil
    }

    /// Whether the client sends more slowly than it has to.
    func isTooSlow(now: Int64) -> Bool {
        let nanoseconds = waited + (waitsSince.map { now - $0 } ?? 0)
        let grace = Int64(Limits.bodyGrace / .nanoseconds(1))
        return nanoseconds > grace && bytes < (nanoseconds - grace) / 1_000_000_000 * Limits.bodyBytesPerSecond + 1
    }
}
