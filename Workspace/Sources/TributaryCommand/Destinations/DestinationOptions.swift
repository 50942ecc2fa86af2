import ArgumentParser
import TributaryJSON

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

    /// Turns forwarding on or off, and returns the destination. The request would make a destination that is not there, so
    /// the command asks for it first.
    func set(enabled: Bool) async throws -> JSON {
        let client = try client()
        try await client.get("")
        return try await client.send("PUT", "", ["enabled": .bool(enabled)])
    }

    /// Sends a request about the destination.
    func client() throws(Failure) -> AdministrationClient {
        try AdministrationClient(source).below("destinations", named: name)
    }
}
