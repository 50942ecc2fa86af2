import ArgumentParser

/// The destination that a command is about, and its source.
struct DestinationOptions: ParsableArguments {
    @Argument(help: "Name of the destination.")
    var name: String

    @OptionGroup var source: SourceOptions

    func validate() throws {
        // Such a name would change the path of the request. The server checks everything else about names.
        guard !name.isEmpty, !name.contains("/") else {
            throw ValidationError("a destination's name is not empty and has no slash")
        }
    }

    /// Sends a request about the destination.
    func client() throws(Failure) -> AdministrationClient {
        try AdministrationClient(source).below("destinations", named: name)
    }
}
