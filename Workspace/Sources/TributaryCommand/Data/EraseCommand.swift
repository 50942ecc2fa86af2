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
        let counts = try ["events", "rejected", "traces", "signals"].map { name throws(Failure) in
            try answer.number(name)
        }
        print("erased: \(counts[0]) events, \(counts[1]) dead letters, \(counts[2]) traces, \(counts[3]) signals")
        let unreadable = try answer.number("unreadableFiles")
        guard unreadable > 0 else { return }
        print(
            "\(unreadable) files in the folder `unreadable` could not be looked at; "
                + "delete them when you no longer need them")
    }
}
