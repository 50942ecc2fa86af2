import ArgumentParser
import Foundation
import TributaryJSON

/// Erases one user.
struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erases everything about one user from a running workspace.",
        discussion: """
            Erased are events, dead letters, traces and signals that name the user id as a user, what the same devices \
            sent before the user logged in, and the requests that brought them. Their bytes are gone from the files of \
            the data folder; that it was done stands in the audit log, with a digest of the id. Backups are not \
            touched. The event is not taken again when a device repeats it, but what the user does from now on is stored.
            """)

    @OptionGroup var options: ServerOptions

    @Option(help: "User id.")
    var user: String

    @Flag(help: "Write the answer as JSON.")
    var json = false

    func validate() throws {
        guard !user.isEmpty else { throw ValidationError("the user id is empty") }
    }

    func run() async throws {
        let answer = try await AdministrationClient(options).delete("api/users", named: user)
        guard !json else {
            print(answer)
            return
        }
        func count(_ name: String) -> Int { answer[name]?.intValue ?? 0 }
        print(
            "erased: \(count("events")) events, \(count("rejected")) dead letters, \(count("traces")) traces, "
                + "\(count("signals")) signals")
        guard count("unreadableFiles") > 0 else { return }
        print(
            "\(count("unreadableFiles")) files in the folder `unreadable` could not be looked at; "
                + "delete them when you no longer need them")
    }
}
