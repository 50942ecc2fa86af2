import ArgumentParser
import TributaryJSON

/// Commands for live plugins.
struct Plugin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Handles live plugins.", subcommands: [Deploy.self])

    /// Uploads a bundle.
    struct Deploy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a JavaScript file the live plugins of a source.",
            discussion: "Every deployment is a new version, so deploying an older file again is a rollback.")

        @Argument(help: "The JavaScript file.")
        var file: String

        @OptionGroup var options: ServerOptions

        func run() async throws {
            let body = try InputFile.read(file)
            let client = try AdministrationClient(options)
            let answer = try await client.send("PUT", "live-plugins", body: body, type: "text/javascript")
            guard let version = answer["version"]?.intValue, let sha256 = answer["sha256"]?.stringValue else {
                throw Failure("the server's answer is not that of a workspace: \(answer)")
            }
            print("live plugins version \(version), \(body.count) bytes, sha256 \(sha256)")
        }
    }
}
