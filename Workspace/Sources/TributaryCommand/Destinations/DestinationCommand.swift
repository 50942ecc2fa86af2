import ArgumentParser

/// The places that the workspace forwards events to.
struct DestinationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "destination", abstract: "Forwards the events of a source to other services.",
        discussion: """
            A destination gets the events of its source from the workspace, each as a signed POST to an address. Its \
            name is what filters and the integrations of events speak of. --write-key names the source by the key that \
            it was made with.
            """,
        subcommands: [
            DestinationList.self, DestinationAdd.self, DestinationShow.self, DestinationSet.self,
            DestinationRemove.self, DestinationPause.self, DestinationResume.self, DestinationSecret.self,
            DestinationTest.self, DestinationDeadLetters.self,
        ])
}
