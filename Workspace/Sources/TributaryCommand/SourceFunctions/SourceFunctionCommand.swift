import ArgumentParser

/// Commands for the function of a source.
struct SourceFunctionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "function", abstract: "Takes requests of other services in, and makes events of them.",
        discussion: """
            A source can have a function: a script that makes events of the webhooks of another service. The server checks that a \
            request comes from that service, and the script runs in a process without files, network and secrets.
            """,
        subcommands: [
            SourceFunctionNew.self, SourceFunctionTest.self, SourceFunctionTemplates.self, SourceFunctionSet.self,
            SourceFunctionShow.self, SourceFunctionVersions.self, SourceFunctionRollback.self,
            SourceFunctionRemove.self,
        ])
}
