import ArgumentParser
import TributaryJSON

/// Replaces the secret of a destination.
struct DestinationSecret: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Makes a new secret for a destination and prints it.",
        discussion: """
            For a day, each request has two signatures, one with each secret, so that you can change your receivers \
            one after the other. If another person has the old secret, change the receiver at once: only the \
            receiver can refuse it.
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
        Console.error("Above is the secret, which is shown only now. The earlier secret signs as well\(end).")
    }
}
