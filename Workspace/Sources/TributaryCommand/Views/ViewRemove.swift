import ArgumentParser

/// Removes a saved question.
struct ViewRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a saved question, also from the board.")

    @Argument(help: "Its name.")
    var name: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).delete("api/views", named: name)
        print("removed \(try answer.text("removed").printable)")
    }
}
