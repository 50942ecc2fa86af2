/// How far the user moves the content of a scroll view, from the moment that a finger moves it to the moment that it lets go.
struct ScrollWay: Sendable {
    /// An object that holds the value, because the closures of a view need one place.
    @MainActor
    final class Holder {
        var value = ScrollWay()
        nonisolated init() {}
    }

    /// The distance in points from which a movement counts.
    static var shortest: Double { 10 }

    private var start: (x: Double, y: Double)?

    /// The scroll view came into another phase.
    /// - Parameters:
    ///   - isDriven: whether the user moves the content in the new phase.
    ///   - x: the left edge of what is seen, in points of the content.
    ///   - y: its upper edge.
    /// - Returns: the way of the content's edges, when the user has just let go after a movement.
    mutating func take(isDriven: Bool, x: Double, y: Double) -> (x: Double, y: Double)? {
        guard !isDriven else {
            // A finger that catches content in motion goes on with the same movement.
            if start == nil { start = (x, y) }
            return nil
        }
        guard let start else { return nil }
        self.start = nil
        let moved = (x: x - start.x, y: y - start.y)
        return moved.x * moved.x + moved.y * moved.y < Self.shortest * Self.shortest ? nil : moved
    }

    /// `down`, `up`, `right` or `left`: where the user sees more of the content.
    static func direction(_ moved: (x: Double, y: Double)) -> String {
        abs(moved.y) >= abs(moved.x) ? (moved.y > 0 ? "down" : "up") : (moved.x > 0 ? "right" : "left")
    }
}
