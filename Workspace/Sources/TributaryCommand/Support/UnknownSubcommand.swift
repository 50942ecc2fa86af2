import ArgumentParser

/// A word in the place of a subcommand that names none, such as `plugni`.
///
/// The library only says that the word is unexpected; this names the subcommands that look like it.
struct UnknownSubcommand {
    /// The command whose subcommand was meant.
    let command: any ParsableCommand.Type
    let message: String

    /// Nil when each word in the place of a subcommand names one.
    init?(in arguments: [String], of root: any ParsableCommand.Type) {
        var command = root
        for word in arguments {
            let known = command.configuration.subcommands
            // A command with a default also takes words that are arguments of that default.
            guard !known.isEmpty, command.configuration.defaultSubcommand == nil, !word.hasPrefix("-"), word != "help"
            else { return nil }
            guard let next = known.first(where: { Self.names(of: $0).contains(word) }) else {
                self.command = command
                message = Self.message(for: word, known.filter { $0.configuration.shouldDisplay })
                return
            }
            command = next
        }
        return nil
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        [command._commandName] + command.configuration.aliases
    }

    private static func message(for word: String, _ known: [any ParsableCommand.Type]) -> String {
        let names = known.map { $0._commandName }
        let nearest = names.map { (name: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(1, nearest.name.count / 3) else {
            return "there is no command '\(word.printable)', only \(names.joined(separator: ", "))"
        }
        return "there is no command '\(word.printable)'; did you mean '\(nearest.name)'?"
    }

    /// How many letters have to be inserted, removed, replaced or swapped with their neighbour to turn one word into the
    /// other.
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.prefix(40)), Array(right))
        var rows = [Array(0...right.count)]
        for (line, letter) in left.enumerated() {
            var row = [line + 1]
            for (column, other) in right.enumerated() {
                var best = min(
                    rows[line][column] + (letter == other ? 0 : 1), rows[line][column + 1] + 1, row[column] + 1)
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
