import ArgumentParser
import TributaryJSON

/// Saves a question or changes it.
struct ViewSave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Saves a question, or changes the one of that name.",
        discussion: """
            The query is the part of the page's address after the question mark:

              tributary view save "Orders by currency" --place explore --query "by=property&property=properties.currency"

            An option that is left out changes nothing.
            """)

    @Argument(help: "Its name.")
    var name: String

    @Option(help: "The place of the page: events, explore or catalog.")
    var place: String?

    @Option(help: "The part of the address after the question mark.")
    var query: String?

    @Option(help: "Another name for it.")
    var rename: String?

    @Option(help: "Its place on the board, from 1; only for questions of explore.")
    var board: Int?

    @Flag(help: "Take it off the board.")
    var offBoard = false

    @OptionGroup var options: ServerOptions

    func validate() throws {
        if board != nil, offBoard { throw ValidationError("--board and --off-board exclude each other") }
    }

    func run() async throws {
        var body = JSONObject()
        for (member, value) in [("place", place), ("query", query), ("name", rename)] {
            if let value { body[member] = .string(value) }
        }
        if offBoard { body["board"] = .null }
        if let board { body["board"] = .number(JSONNumber(board)) }
        let view = try await AdministrationClient(options).below("api/views", named: name).send(
            "PUT", "", .object(body))
        print(ViewCommand.line(view))
    }
}
