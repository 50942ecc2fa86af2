import ProgramSupport

/// The balance as a table for the terminal: labels on the left, figures in one column on the right.
struct EventBalanceTable {
    private static let labelWidth = 44
    private static let figureWidth = 9

    let balance: EventBalance

    var lines: [String] { counts + [""] + views }

    private var counts: [String] {
        var lines = [row("tracked by the shop", balance.tracked), row("stored in the workspace", balance.stored)]
        lines += rows("dropped by plugin", balance.summary.droppedByPlugin)
        lines += rows("dropped by filter", balance.summary.droppedByFilter)
        lines.append(String(repeating: "─", count: Self.labelWidth + Self.figureWidth))
        lines.append(row("difference", balance.difference))
        return lines
    }

    private var views: [String] {
        var lines = [
            row("stored after live plugins version 1", balance.processed(byVersion: 1)),
            row("stored after live plugins version 2", balance.processed(byVersion: 2)),
        ]
        if let none = balance.tally.byVersion["none"] { lines.append(row("stored without live plugins", none)) }
        lines.append(row("taken by the device destination", balance.summary.printed))
        if let latency = balance.statistics.latency {
            lines.append(row("tracked to stored, median", latency.median, "ms"))
            lines.append(row("tracked to stored, 99 % within", latency.p99, "ms"))
        }
        return lines
    }

    private func rows(_ title: String, _ counts: [String: Int]) -> [String] {
        guard !counts.isEmpty else { return [row(title, 0)] }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { row("\(title): \($0.key)", $0.value) }
    }

    private func row(_ label: String, _ figure: Int, _ unit: String? = nil) -> String {
        let text = Grouped.text(figure)
        let room = max(1, Self.labelWidth + Self.figureWidth - label.count - text.count)
        return label + String(repeating: " ", count: room) + text + (unit.map { " " + $0 } ?? "")
    }
}
