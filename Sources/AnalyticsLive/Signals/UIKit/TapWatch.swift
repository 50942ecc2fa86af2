/// Distinguishes taps from touches that move: a user who scrolls a list does not tap the row where the finger began.
struct TapWatch<Touch: Hashable> {
    /// The phase of a touch.
    enum Phase { case began, ended, cancelled, other }

    /// The most points that a finger may move in a tap. The system's own recognizers allow about as many.
    private static var slack: Double { 10 }
    /// The most touches at once. Beyond that, the end of a touch was missed.
    private static var touches: Int { 16 }

    private var began: [Touch: (x: Double, y: Double)] = [:]

    /// - Parameter isPanning: whether the touch was recognized as a scroll, a drag or a swipe.
    /// - Returns: whether the touch was a tap, which has ended just now.
    mutating func take(_ touch: Touch, _ phase: Phase, x: Double, y: Double, isPanning: Bool) -> Bool {
        switch phase {
        case .began:
            if began.count >= Self.touches { began = [:] }
            began[touch] = (x, y)
            return false
        case .ended:
            guard let start = began.removeValue(forKey: touch), !isPanning else { return false }
            let (dx, dy) = (x - start.x, y - start.y)
            return dx * dx + dy * dy <= Self.slack * Self.slack
        case .cancelled:
            began[touch] = nil
            return false
        case .other: return false
        }
    }
}
