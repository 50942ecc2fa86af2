import ArgumentParser
import TributaryJSON

/// Takes the function from a source.
struct SourceFunctionRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Takes the function from a source, with its secrets and its address.",
        discussion: "The events stay stored. A function that is made later has another address.")

    @OptionGroup var options: SourceOptions

    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
        let client = try AdministrationClient(options)
        let answer = try await client.get("function")
        let name = answer["declaration"]?["class"]?.stringValue?.printable ?? "of the source"
        try confirmation.confirm(
            IrreversibleStep(
                losses: ["the function \(name) goes with its secrets, and its address takes no request any more"],
                question: "Remove it?", otherwise: "nothing was removed"))
        try await client.delete("function")
        print("the function of \(options.writeKey.printable) is removed")
    }
}
