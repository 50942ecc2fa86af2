import Foundation

/// How fast events are to be made: when the next one is due, given how long it has been going on.
struct Pace: Sendable, Equatable {
    /// Nil for as fast as it goes.
    let eventsPerSecond: Double?

    /// Seconds to wait before the next event; 0 when it is due or late.
    func wait(afterEvents count: Int, elapsed: TimeInterval) -> TimeInterval {
        guard let eventsPerSecond else { return 0 }
        return max(0, Double(count) / eventsPerSecond - elapsed)
    }
}
