import ArgumentParser

/// Lists the write keys of a source.
struct KeyList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Shows the keys of a source.")

    @OptionGroup var options: SourceOptions

    @OptionGroup var list: ListOptions

    func run() async throws {
        try list.show(try await AdministrationClient(options).get("keys"), "keys", line: KeyCommand.line)
    }
}
