import ArgumentParser
import Foundation
import TributaryJSON

/// The user or device that a command is about.
struct SuppressedOptions: ParsableArguments {
    @Argument(help: "User id.")
    var id: String

    @Flag(help: "The id is the anonymous id of a device; it counts for events without a user.")
    var device = false

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard !id.isBlank else { throw ValidationError("the id is empty or has only white space") }
    }

    /// The query of requests about the user or device.
    var query: [URLQueryItem] { [URLQueryItem(name: device ? "anonymousId" : "userId", value: id)] }
}
