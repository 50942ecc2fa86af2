import WorkspaceCore

/// Counts wrong secrets by address. A pure value; times are passed in.
///
/// After `Limits.guesses` wrong ones within a minute, an address has to wait until the minute is over, even with the
/// right secret: an answer would reveal which one is right.
struct GuessLedger: Sendable {
    private struct Guesses {
        var count = 0
        /// The time of the first wrong one.
        let since: Int64
    }

    private var guesses: [String: Guesses] = [:]

    /// Milliseconds until the address may try again; nil when it may now.
    func pause(of address: String, now: Int64) -> Int64? {
        guard let found = guesses[address], found.count >= Limits.guesses, isFresh(found, now) else { return nil }
        return found.since + Limits.guessMilliseconds - now
    }

    mutating func missed(_ address: String, now: Int64) {
        if guesses[address].map({ !isFresh($0, now) }) ?? true {
            makeRoom(now)
            guesses[address] = Guesses(since: now)
        }
        guesses[address]?.count += 1
    }

    private func isFresh(_ guesses: Guesses, _ now: Int64) -> Bool {
        (0..<Limits.guessMilliseconds).contains(now - guesses.since)
    }

    private mutating func makeRoom(_ now: Int64) {
        guard guesses.count >= Limits.guessers else { return }
        guesses = guesses.filter { isFresh($0.value, now) }
        guard guesses.count >= Limits.guessers, let oldest = guesses.min(by: { $0.value.since < $1.value.since }) else {
            return
        }
        guesses[oldest.key] = nil
    }
}
