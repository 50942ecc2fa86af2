import Foundation

extension Summary {
    /// The summary as lines for people.
    var lines: [String] {
        var lines = [
            "\(tracked) events tracked in \(String(format: "%.1f", seconds)) s, \(uploaded) confirmed by the server"
        ]
        lines += Self.lines("dropped by plugin", droppedByPlugin)
        lines += Self.lines("dropped by filter", droppedByFilter)
        lines += Self.lines("kept from", keptFromDestinations)
        lines += Self.lines("taken by", delivered)
        if deadLettered > 0 { lines.append("  refused by the server: \(deadLettered)") }
        lines += Self.lines("lost", lost)
        return lines
    }

    private static func lines(_ title: String, _ counts: [String: Int]) -> [String] {
        counts.sorted { $0.key < $1.key }.map { "  \(title) \($0.key): \($0.value)" }
    }
}
