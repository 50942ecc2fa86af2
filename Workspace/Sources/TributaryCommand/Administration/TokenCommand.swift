import ArgumentParser
import TributaryJSON

/// Commands for the tokens of the administration.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Makes and revokes tokens for people and scripts, and replaces the admin token.",
        discussion: """
            Give each person and each script a separate token. Its role says what it may do, the audit log has its \
            name, and it can be revoked alone. A token is used like the admin token: on the login page, in \
            TRIBUTARY_ADMIN_TOKEN, or in a --token-file.

            Roles:
              look         read events, settings, lists and figures
              deploy       also deploy live plugins and filters
              administer   everything
            """,
        subcommands: [TokenAdd.self, TokenList.self, TokenRevoke.self, TokenReset.self])

    /// A named token on one line.
    static func line(_ token: JSON) -> String {
        func text(_ member: String) -> String { (token[member]?.stringValue ?? "?").printable }
        let use = token["usedAt"]?.stringValue.map { "used \($0.printable)" } ?? "never used"
        return "\(text("name"))  \(text("role")), made \(text("createdAt")), \(use)"
    }

    /// The text in place of an empty list.
    static let none = "there is no named token"
}
