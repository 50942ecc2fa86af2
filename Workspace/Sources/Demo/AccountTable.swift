/// The account as lines for people: labels on the left, figures in one column on the right.
struct AccountTable {
    private static let labelWidth = 44
    private static let figureWidth = 9

    let account: Account

    var lines: [String] { books + [""] + views }

    private var books: [String] {
        var lines = [row("tracked by the shop", account.tracked), row("stored in the workspace", account.stored)]
        lines += rows("dropped by plugin", account.summary.droppedByPlugin)
        lines += rows("dropped by filter", account.summary.droppedByFilter)
        lines.append(String(repeating: "─", count: Self.labelWidth + Self.figureWidth))
        lines.append(row("difference", account.difference))
        return lines
    }

    private var views: [String] {
        var lines = [
            row("stored after live plugins version 1", account.processed(byVersion: 1)),
            row("stored after live plugins version 2", account.processed(byVersion: 2)),
        ]
        if let none = account.tally.byVersion["none"] { lines.append(row("stored without live plugins", none)) }
        lines.append(row("taken by the device destination", account.summary.printed))
        if let latency = account.statistics.latency {
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
