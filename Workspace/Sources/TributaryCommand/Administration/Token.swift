import ArgumentParser
import Foundation
import TributaryJSON
import WorkspaceServer

/// The secrets of the administration.
struct Token: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes and revokes tokens for people and scripts, and replaces the admin token.",
        discussion: """
            Give each person and each script a token of their own. Its role says what it may do, its name is in the audit \
            log, and it can be revoked alone. A token is used like the admin token: on the login page, in \
            TRIBUTARY_ADMIN_TOKEN, or in a --token-file.

            Roles:
              look         read events, settings, lists and figures
              deploy       also deploy live plugins and filters
              administer   everything
            """,
        subcommands: [TokenAdd.self, TokenList.self, TokenRevoke.self, TokenReset.self])

    static func line(_ token: JSON) -> String {
        func text(_ member: String) -> String { (token[member]?.stringValue ?? "?").printable }
        let use = token["usedAt"]?.stringValue.map { "used \($0.printable)" } ?? "never used"
        return "\(text("name"))  \(text("role")), made \(text("createdAt")), \(use)"
    }

    static let none = "there is no named token"
}

/// What a token may do, as the command line has it.
enum TokenRole: String, ExpressibleByArgument, CaseIterable {
    case look, deploy, administer
}

/// Makes a named token.
struct TokenAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Makes a token and prints it. It is shown only once.")

    @Argument(help: "Its name, such as that of a person or a script.")
    var name: String

    @Option(help: "What it may do.")
    var role: TokenRole

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let body: JSON = ["name": .string(name), "role": .string(role.rawValue)]
        let answer = try await AdministrationClient(options).send("POST", "api/tokens", body)
        print(try answer.text("token").printable)
    }
}

/// Shows the named tokens.
struct TokenList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the named tokens with their roles, not the tokens themselves.")

    @OptionGroup var options: ServerOptions

    @OptionGroup var list: ListOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).get("api/tokens")
        try list.show(answer, "tokens", empty: Token.none, line: Token.line)
    }
}

/// Revokes a named token.
struct TokenRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revokes a token and ends the logins that were made with it, at once.")

    @Argument(help: "Its name.")
    var name: String

    @OptionGroup var options: ServerOptions

    @OptionGroup var list: ListOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).delete("api/tokens", named: name)
        try list.show(answer, "tokens", empty: Token.none, line: Token.line)
    }
}

/// Replaces the admin token of a workspace that does not run.
struct TokenReset: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Replaces the admin token and prints the new one.",
        discussion: """
            Stop the workspace first. The old token is not valid any more afterwards, and all logins end. Named tokens stay \
            valid: look through `tributary token list` when somebody else had the admin token.
            """)

    @Option(help: "Folder of the database.")
    var data = "tributary-data"

    func run() throws {
        guard InputFile.isFolder(data) else { throw Failure("there is no data folder \(data)") }
        do {
            print(try Workspace.resetAdminToken(dataFolder: data))
        } catch let error as WorkspaceError {
            throw Failure(error.description)
        }
    }
}
