import ArgumentParser

/// Which destination of which source a command speaks about.
struct DestinationOptions: ParsableArguments {
    @Argument(help: "Name of the destination.")
    var name: String

    @OptionGroup var source: SourceOptions

    func validate() throws {
        // Such a name would be another address. All else about names is the server's to say.
        guard !name.isEmpty, !name.contains("/") else {
            throw ValidationError("a destination's name is not empty and has no slash")
        }
    }

    /// Speaks to the destination.
    func client() throws(Failure) -> AdministrationClient {
        try AdministrationClient(source).below("destinations", named: name)
    }
}
