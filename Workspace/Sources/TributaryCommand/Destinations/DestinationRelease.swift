import ArgumentParser
import TributaryJSON
import WorkspaceCore

/// Sends the events that a destination did not get because they say nothing about consent.
struct DestinationRelease: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Sends the events that are held because they have no consent data.",
        discussion: """
            Events are held while the policy of the source is `--unsaid-consent hold`. Set it to `forward` first. \
            Events that filters or consent exclude by now are not sent.
            """)

    @OptionGroup var options: DestinationOptions

    @Flag(help: "Write the answer as JSON.")
    var json = false

    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
        let client = try options.client()
        let held = try await client.get("")["held"]?.intValue ?? 0
        let loss =
            "\(options.name.printable) gets \(held.grouped) \(held == 1 ? "event that says" : "events that say") "
            + "nothing about consent, and cannot be made to forget \(held == 1 ? "it" : "them")"
        try confirmation.confirm(
            IrreversibleStep(losses: held > 0 ? [loss] : [], question: "Send them?", otherwise: "nothing was sent"))
        var (released, more) = (0, true)
        while more {
            let answer = try await client.post("held/release")
            released += try answer.number("released")
            more = try answer.flag("more")
        }
        if json { return print((["released": .number(released)] as JSON).description) }
        print("\(released.grouped) \(released == 1 ? "event is" : "events are") sent now")
    }
}
