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

            Limits, which `token add` sets:
              --source                  only these sources; the others answer as if they were not there
              --until                   refused after that day
              --without-personal-data   ids as digests, no traits, addresses and personal properties
            """,
        subcommands: [TokenAdd.self, TokenList.self, TokenRevoke.self, TokenReset.self])

    /// A named token on one line.
    static func line(_ token: JSON) -> String {
        func text(_ member: String) -> String { (token[member]?.stringValue ?? "?").printable }
        let use = token["usedAt"]?.stringValue.map { "used \($0.printable)" } ?? "never used"
        var limits = ""
        if let sources = token["sources"]?.elements {
            let names = sources.compactMap { $0.stringValue?.printable }
            limits += ", only \(names.isEmpty ? "sources that were removed" : names.joined(separator: " and "))"
        }
        if token["personalData"] == "hidden" { limits += ", without personal data" }
        if token["endsAt"]?.stringValue != nil {
            limits += token["hasEnded"] == true ? ", ended at \(text("endsAt"))" : ", until \(text("endsAt"))"
        }
        return "\(text("name"))  \(text("role"))\(limits), made \(text("createdAt")), \(use)"
    }

    /// The text in place of an empty list.
    static let none = "there is no named token"
}
