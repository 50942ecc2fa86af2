/// Finds the name that an author probably meant.
public enum SimilarName {
    /// The known name that looks most like a word; nil when none looks like it.
    ///
    /// Upper and lower case count as alike. A word may differ by one letter, and by one more for each three letters.
    public static func nearest(to word: String, among names: some Collection<String>) -> String? {
        let letters = Array(word.lowercased().prefix(100))
        let ranked = names.map { (name: $0, distance: distance(letters, Array($0.lowercased()))) }
        // The order of a set is not always the same, so equally near names are ordered by their texts.
        guard let best = ranked.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }),
            best.distance <= max(1, best.name.count / 3)
        else { return nil }
        return best.name
    }

    /// How many letters have to be inserted, removed, replaced or swapped with their neighbour.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var rows = [Array(0...right.count)]
        for (line, letter) in left.enumerated() {
            var row = [line + 1]
            for (column, other) in right.enumerated() {
                let replaced = rows[line][column] + (letter == other ? 0 : 1)
                var best = min(replaced, rows[line][column + 1] + 1, row[column] + 1)
                if line > 0, column > 0, letter == right[column - 1], left[line - 1] == other {
                    best = min(best, rows[line - 1][column - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
