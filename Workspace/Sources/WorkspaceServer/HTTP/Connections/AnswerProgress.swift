/// How a client takes its answers. A pure value; times are nanoseconds and are passed in.
struct AnswerProgress: Equatable {
    private var written: Int64 = 0
    private var taken: Int64 = 0
    /// The time since when the client has taken nothing although there was something; nil when it has taken all.
    private(set) var blockedSince: Int64?

    mutating func wrote(_ count: Int) { written += Int64(count) }

    /// - Parameter waiting: the bytes that the system did not take from the server yet.
    mutating func look(waiting: Int, now: Int64) {
        let taken = written - Int64(waiting)
        if waiting == 0 {
            blockedSince = nil
        } else if taken > self.taken || blockedSince == nil {
            blockedSince = now
        }
        self.taken = taken
    }

    /// Whether the client has taken nothing for too long.
    func isGivenUp(now: Int64, after patience: Duration = Limits.untakenAnswer) -> Bool {
        blockedSince.map { now - $0 >= Int64(patience / .nanoseconds(1)) } ?? false
    }
}
