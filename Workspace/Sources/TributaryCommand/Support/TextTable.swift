/// Columns for a terminal.
enum TextTable {
    /// The lines of a table. Each column is as wide as its widest cell. The first columns stand at the left, the
    /// others, which are numbers, at the right.
    /// - Parameters:
    ///   - rows: with as many cells as the head.
    ///   - texts: how many columns stand at the left.
    static func lines(_ head: [String], _ rows: [[String]], texts: Int = 1) -> [String] {
        let all = [head] + rows
        let widths = head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return column < texts ? cell + space : space + cell
            }.joined(separator: "  ")
        }
    }
}
