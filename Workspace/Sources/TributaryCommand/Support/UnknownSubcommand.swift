import ArgumentParser
import TributaryFilterTestKit

/// A word in the place of a subcommand that names none, such as `plugni`.
///
/// The library only says that the word is unexpected; this names the subcommands that look like it.
struct UnknownSubcommand {
    /// The last known command before the unknown word.
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
        guard let nearest = SimilarName.nearest(to: word, among: names) else {
            return "there is no command '\(word.printable)', only \(names.joined(separator: ", "))"
        }
        return "there is no command '\(word.printable)'; did you mean '\(nearest)'?"
    }
}
