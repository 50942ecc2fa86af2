import ArgumentParser
import TributaryJSON

/// Stores nothing more of a user.
struct SuppressAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Stores nothing more of a user or a device.",
        discussion: """
            What comes meanwhile is lost, also when `tributary suppress remove` ends the suppression. What is stored \
            already stays.
            """)

    @OptionGroup var options: SuppressedOptions

    @Option(help: "Why; it is shown in the list and noted in the audit log.")
    var reason = ""

    func run() async throws {
        let client = try AdministrationClient(options.server)
        let answer = try await client.send(
            "PUT", "api/suppressions", query: options.query, ["reason": .string(reason)])
        print("suppressed; the list has the digest \(try answer.text("digest").prefix(16))…")
        Console.error("`tributary suppress remove` ends it; what comes until then is lost")
    }
}
