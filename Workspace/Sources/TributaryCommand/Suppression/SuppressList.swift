import ArgumentParser
import Foundation
import TributaryJSON

/// Shows who is suppressed.
struct SuppressList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows suppressed and erased users and devices by their digests.",
        discussion: "With --user or --device shows only the entry of that id; exits with 1 when there is none.")

    @OptionGroup var server: ServerOptions

    @Option(help: "Only this user.")
    var user: String?

    @Option(help: "Only the device with this anonymous id.")
    var device: String?

    @Flag(help: "Write one JSON object on each line.")
    var json = false

    func validate() throws {
        guard user == nil || device == nil else { throw ValidationError("--user and --device do not go together") }
        guard user != "", device != "" else { throw ValidationError("the id is empty") }
    }

    func run() async throws {
        let client = try AdministrationClient(server)
        if let id = user ?? device {
            let query = [URLQueryItem(name: user == nil ? "anonymousId" : "userId", value: id)]
            let entries = try await client.get("api/suppressions", query: query).list("suppressions")
            guard let entry = entries.first else {
                print("not suppressed")
                throw ExitCode(1)
            }
            return show(entry)
        }
        var (after, count) = ("", 0)
        while true {
            let query =
                [URLQueryItem(name: "limit", value: "1000")]
                + (after.isEmpty ? [] : [URLQueryItem(name: "after", value: after)])
            let answer = try await client.get("api/suppressions", query: query)
            for entry in try answer.list("suppressions") {
                count += 1
                show(entry)
            }
            guard let next = answer["next"]?.stringValue else { break }
            after = next
        }
        if count == 0 && !json { print("no user or device is suppressed") }
    }

    private func show(_ entry: JSON) {
        guard !json else { return print(entry.description) }
        func text(_ name: String) -> String { entry[name]?.stringValue?.printable ?? "" }
        let state = [
            entry["suppressed"]?.boolValue == true ? "suppressed" : nil,
            entry["erasedThrough"]?.stringValue.map { "erased through \($0.printable)" },
        ].compactMap { $0 }.joined(separator: ", ")
        let reason = text("reason").isEmpty ? "" : "  \(text("reason"))"
        print("\(text("digest").prefix(16))…  \(text("kind"))  \(state)  by \(text("by")) at \(text("at"))\(reason)")
    }
}
