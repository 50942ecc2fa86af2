/// Adds up the events that the other nodes of a cluster accepted today. A pure value.
///
/// Each node counts the events that it accepted since its start. When this node starts, it learns the earlier events of
/// all nodes from the store. So it subtracts the count that each other node had in its first report. A node that ended
/// keeps its last count.
struct QuotaExchange: Sendable, Equatable {
    private var day: Int64 = .min
    private var isFirst = true
    /// By the id of the node's start: its count when this node began, and its last count.
    private var nodes: [String: Node] = [:]

    private struct Node: Sendable, Equatable {
        var known: [Int64: Int]
        var last: [Int64: Int]
    }

    /// Takes in the reports of the nodes that answered.
    /// - Parameters:
    ///   - own: the id of this node. Its own report does not count.
    ///   - day: today, in days since 1970. Reports about another day do not count.
    /// - Returns: today's events that other nodes accepted since this one began, by source.
    mutating func take(_ reports: [NodeReport], besides own: String, on day: Int64) -> [Int64: Int] {
        if day != self.day {
            // On a new day, the store has no earlier events.
            isFirst = isFirst && self.day == .min
            (self.day, nodes) = (day, [:])
        }
        for report in reports where report.id != own && report.received.day == day {
            let counts = report.received.events
            nodes[report.id, default: Node(known: isFirst ? counts : [:], last: [:])].last = counts
        }
        isFirst = false
        return nodes.values.reduce(into: [:]) { sum, node in
            for (source, count) in node.last {
                sum[source, default: 0] += max(0, count - node.known[source, default: 0])
            }
        }
    }
}
