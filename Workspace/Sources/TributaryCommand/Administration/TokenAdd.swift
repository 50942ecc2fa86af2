import ArgumentParser
import TributaryJSON

/// Makes a named token.
struct TokenAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Makes a token and prints it. It is shown only once.")

    @Argument(help: "Its name, such as that of a person or a script.")
    var name: String

    @Option(help: "What it may do.")
    var role: TokenRole

    @Option(
        help: ArgumentHelp(
            "The write key of a source that it sees, and no other one; may be repeated. Without it, it sees all sources.",
            valueName: "write-key"))
    var source: [String] = []

    @Option(
        help: ArgumentHelp(
            "Its last day, in UTC, or the time when it ends, such as 2027-01-31 or 2027-01-31T18:00:00Z.",
            valueName: "day"))
    var until: String?

    @Flag(help: "It sees no personal data: ids are digests, traits, addresses and personal properties are left out.")
    var withoutPersonalData = false

    @OptionGroup var options: ServerOptions

    func run() async throws {
        var body: JSONObject = ["name": .string(name), "role": .string(role.rawValue)]
        if !source.isEmpty { body["sources"] = .array(source.map(JSON.string)) }
        if let until { body["endsAt"] = .string(until) }
        if withoutPersonalData { body["personalData"] = "hidden" }
        let answer = try await AdministrationClient(options).send("POST", "api/tokens", .object(body))
        print(try answer.text("token").printable)
    }
}
