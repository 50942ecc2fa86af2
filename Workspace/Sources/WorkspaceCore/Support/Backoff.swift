/// Pauses between attempts: each is twice as long as the previous one, up to a bound. Times in milliseconds.
package struct Backoff: Sendable {
    /// The pause after the first attempt.
    package let first: Int64
    package let longest: Int64

    package init(first: Int64, longest: Int64) { (self.first, self.longest) = (first, longest) }

    /// - Parameters:
    ///   - doublings: how many pauses came before this one.
    ///   - random: from 0 up to 1; shortens the pause by up to a quarter, so that not all clients return at once.
    package func pause(after doublings: Int, random: Double) -> Int64 {
        let whole = min(longest, first << Int64(max(0, min(doublings, 20))))
        return whole - Int64(Double(whole) * 0.25 * random)
    }
}
