import ArgumentParser
import TributaryJSON

/// Commands for destination filters.
struct Filter: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Handles destination filters.", subcommands: [Deploy.self])

    /// Uploads routing rules.
    struct Deploy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a JSON array of routing rules the destination filters of a source.")

        @Argument(help: "The JSON file.")
        var file: String

        @OptionGroup var options: ServerOptions

        func run() async throws {
            let client = try AdministrationClient(options)
            let answer = try await client.put("filters", body: InputFile.read(file), type: "application/json")
            guard let rules = answer.elements else {
                throw Failure("the server's answer is not that of a workspace: \(answer)")
            }
            print("\(rules.count) \(rules.count == 1 ? "rule" : "rules") deployed")
        }
    }
}
