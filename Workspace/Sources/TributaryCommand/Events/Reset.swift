import ArgumentParser
import TributaryJSON

/// Deletes the events of a source.
struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Deletes all events of a source, for tests of apps.",
        discussion: "The workspace must have been started with --allow-reset. Settings and live plugins stay.")

    @OptionGroup var options: SourceOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).delete("events")
        print("\(try answer.number("deleted").grouped) events deleted")
    }
}
