import ArgumentParser
import TributaryJSON

/// Commands for the links that show the board.
struct ViewLink: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Makes, lists and revokes links that show the board, and nothing else, without a login.",
        discussion: """
            Everyone who has a link sees the answers to the questions on the board, as they are saved. Questions that \
            list persons are left out. The part of the address behind # is a token, which a browser sends to no server \
            as part of an address.
            """,
        subcommands: [Add.self, List.self, Revoke.self])

    /// Makes a link.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a link and prints its address. It is shown only once.")

        @Argument(help: "Its name, such as that of a screen or a reader.")
        var name: String

        @Option(
            help: "A day or a time at which the link ends, such as 2027-01-31; without it, it ends when it is revoked.")
        var until: String?

        @OptionGroup var options: ServerOptions

        func run() async throws {
            var body: JSONObject = ["name": .string(name)]
            if let until { body["until"] = .string(until) }
            let client = try AdministrationClient(options)
            let answer = try await client.send("POST", "api/board-links", .object(body))
            print(client.address(of: try answer.text("path").printable))
        }
    }

    /// Shows the links.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the links with their ends, not the links themselves.")

        @OptionGroup var options: ServerOptions

        @OptionGroup var list: ListOptions

        func run() async throws {
            let answer = try await AdministrationClient(options).get("api/board-links")
            try list.show(answer, "links", empty: ViewLink.none, line: ViewLink.line)
        }
    }

    /// Revokes a link.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revokes a link, at once.")

        @Argument(help: "Its name.")
        var name: String

        @OptionGroup var options: ServerOptions

        @OptionGroup var list: ListOptions

        @OptionGroup var confirmation: ConfirmationOptions

        func run() async throws {
            let client = try AdministrationClient(options)
            // The server refuses an unknown name and says why.
            let links = try await client.get("api/board-links").list("links")
            let isKnown = links.contains { $0["name"]?.stringValue == name }
            let loss = "the link \(name.printable) is revoked; screens that use it show the board no longer"
            try confirmation.confirm(
                IrreversibleStep(
                    losses: isKnown ? [loss] : [], question: "Revoke it?", otherwise: "nothing was revoked"))
            let answer = try await client.delete("api/board-links", named: name)
            try list.show(answer, "links", empty: ViewLink.none, line: ViewLink.line)
        }
    }

    /// A link on one line.
    private static func line(_ link: JSON) -> String {
        func text(_ member: String) -> String? { link[member]?.stringValue?.printable }
        let end = text("endsAt").map { "ends \($0)" } ?? "ends when it is revoked"
        let use = text("usedAt").map { "used \($0)" } ?? "never used"
        return "\(text("name") ?? "?")  made \(text("createdAt") ?? "?"), \(end), \(use)"
    }

    private static let none = "there is no link to the board"
}
