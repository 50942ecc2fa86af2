import ArgumentParser
import TributaryJSON

/// Shows a saved question.
struct ViewShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows a saved question as JSON.")

    @Argument(help: "Its name.")
    var name: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        print(try await AdministrationClient(options).below("api/views", named: name).get("").description)
    }
}
