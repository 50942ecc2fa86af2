import ArgumentParser

/// Commands for the destinations of forwarding.
struct DestinationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "destination", abstract: "Forwards the events of a source to other services.",
        discussion: """
            A destination gets the events of its source from the workspace: as signed requests to an address, in files, in \
            tables, or as the requests that a function makes of them. Filters and the integrations of events use its name. --write-key names the source by its first key.
            """,
        subcommands: [
            DestinationList.self, DestinationAdd.self, DestinationShow.self, DestinationSet.self,
            DestinationRemove.self, DestinationPause.self, DestinationResume.self, DestinationSecret.self,
            DestinationTest.self, DestinationDeadLetters.self, DestinationRelease.self, DestinationReplay.self,
            DestinationTemplates.self, DestinationNewFunction.self, DestinationTestFunction.self, DestinationTry.self,
            DestinationVersions.self, DestinationRollout.self, DestinationRollback.self,
        ])
}
