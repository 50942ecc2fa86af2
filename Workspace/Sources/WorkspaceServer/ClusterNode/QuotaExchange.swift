/// Adds up what the other nodes of a cluster took today. A pure value.
///
/// Each node counts what it took itself since its start. At a node's start the store knows what was taken before, so what
/// the others had counted when they were seen first is known already. A node that ended keeps its last count.
struct QuotaExchange: Sendable, Equatable {
    private var day: Int64 = .min
    private var isFirst = true
    /// By the id of the node's start: what it had counted when this node began, and what it said last.
    private var nodes: [String: Node] = [:]

    private struct Node: Sendable, Equatable {
        var known: [Int64: Int]
        var last: [Int64: Int]
    }

    /// Takes in the reports of the nodes that answered.
    /// - Parameters:
    ///   - own: the id of this node, whose report does not count.
    ///   - day: today, in days since 1970. Reports about another day do not count.
    /// - Returns: the events of today that other nodes took since this one began, by source.
    mutating func take(_ reports: [NodeReport], besides own: String, on day: Int64) -> [Int64: Int] {
        if day != self.day {
            // Nothing that was stored before counts on a new day.
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
