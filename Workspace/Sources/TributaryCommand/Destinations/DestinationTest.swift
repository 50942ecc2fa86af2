import ArgumentParser
import TributaryJSON

/// Sends a test event to a destination.
struct DestinationTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Sends a destination a test event at once and shows the answer.",
        discussion: "The event is sent once and not stored. Exits with 1 when the destination did not accept it.")

    @OptionGroup var options: DestinationOptions

    @Flag(help: "Write the answer as JSON.")
    var json = false

    func run() async throws {
        let answer = try await options.client().post("test")
        let isAccepted = try answer.flag("accepted")
        let style = OutputStyle.output
        let verdict = isAccepted ? style.good("accepted") : style.bad("not accepted")
        let text = answer["answer"]?.stringValue?.printable ?? "?"
        print(json ? answer.description : "\(verdict): \(text), \(answer["milliseconds"]?.intValue ?? 0) ms")
        if !isAccepted { throw ExitCode(1) }
    }
}
