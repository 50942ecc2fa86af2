import ArgumentParser
import TributaryJSON

/// Replaces the secret of a destination.
struct DestinationSecret: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Makes another secret for a destination, and prints it.",
        discussion: """
            For a day, requests carry a signature of each of both secrets, so that receivers can be changed one after \
            the other. If somebody has the old one who must not, change the receiver at once: it is the receiver that \
            takes what the old one signed.
            """)

    @OptionGroup var options: DestinationOptions

    @Flag(help: "Write the answer as JSON.")
    var json = false

    func run() async throws {
        let answer = try await options.client().post("secret")
        let secret = try answer.text("secret")
        if json { return print(answer.description) }
        print(secret)
        let end = answer["previousValidUntil"]?.stringValue.map { " until \($0.printable)" } ?? ""
        Console.error("Above is the secret, which is shown only now. The one before signs as well\(end).")
    }
}
