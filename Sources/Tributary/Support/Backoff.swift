package import Foundation

/// The pauses between attempts that fail: each is twice as long as the one before, up to a longest one.
package struct Backoff: Sendable {
    /// After a failure of the disk, in seconds.
    package static let storage = Backoff(first: 1, longest: 60)

    package let first: TimeInterval
    package let longest: TimeInterval

    package init(first: TimeInterval, longest: TimeInterval) { (self.first, self.longest) = (first, longest) }

    /// The pause after one more failure than that many in a row.
    package func pause(after failures: Int) -> TimeInterval {
        // The exponent is bounded, because a device may be without a network for days.
        min(longest, first * pow(2, Double(min(failures, 30))))
    }
}
