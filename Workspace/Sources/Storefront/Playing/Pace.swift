import Foundation

/// The pace of the events: says when the next one is due.
struct Pace: Sendable, Equatable {
    /// Events a second; nil for as fast as possible.
    let eventsPerSecond: Double?

    /// Seconds to wait before the next event; 0 when it is due or late.
    func wait(afterEvents count: Int, elapsed: TimeInterval) -> TimeInterval {
        guard let eventsPerSecond else { return 0 }
        return max(0, Double(count) / eventsPerSecond - elapsed)
    }
}
