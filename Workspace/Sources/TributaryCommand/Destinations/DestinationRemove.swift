import ArgumentParser
import TributaryJSON

/// Removes a destination.
struct DestinationRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a destination with its secret, the events that wait for it, and its dead letters.",
        discussion: "The events themselves stay stored. To stop for a while, use `tributary destination pause`.")

    @OptionGroup var options: DestinationOptions

    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
        let client = try options.client()
        try confirmation.confirm(
            IrreversibleStep(
                losses: [Self.loss(try await client.get(""), name: options.name)], question: "Remove it?",
                otherwise: "nothing was removed"))
        let answer = try await client.delete("")
        print("\(try answer.text("removed").printable) is removed")
    }

    /// The data that is lost when a destination is removed.
    /// - Parameter destination: as the server shows it.
    static func loss(_ destination: JSON, name: String) -> String {
        let waiting = destination["waiting"]?.intValue ?? 0
        let letters = destination["deadLetters"]?.intValue ?? 0
        return "the destination \(name.printable) goes with its secret; it never gets \(waiting.grouped) "
            + "\(waiting == 1 ? "event that waits" : "events that wait") for it, and its \(letters.grouped) "
            + "dead \(letters == 1 ? "letter is" : "letters are") deleted"
    }
}
