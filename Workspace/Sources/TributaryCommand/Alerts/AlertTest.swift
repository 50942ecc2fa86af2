import ArgumentParser
import TributaryJSON

/// Sends a message of an alert rule.
struct AlertTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Sends a test message of a rule at once and shows the answer.",
        discussion: "Exits with 1 when the receiver did not accept it.")

    @Argument(help: "The name of the rule.")
    var name: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).below("api/alerts", named: name).post("test")
        let isAccepted = try answer.flag("accepted")
        let style = OutputStyle.output
        let verdict = isAccepted ? style.good("accepted") : style.bad("not accepted")
        print("\(verdict): \(answer["answer"]?.stringValue?.printable ?? "?")")
        if !isAccepted { throw ExitCode(1) }
    }
}
