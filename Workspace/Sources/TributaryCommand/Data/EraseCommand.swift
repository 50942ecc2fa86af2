import ArgumentParser
import Foundation
import TributaryJSON

/// Erases one user.
struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erases everything about one user from a running workspace.",
        discussion: """
            Erases events, dead letters, traces and signals that name the user id as a user, events that the same \
            devices sent before the user logged in, and the requests that contained them. Their bytes in the files \
            of the data folder are overwritten. The audit log notes the erasure with a digest of the id. Backups are \
            not changed. When a device later sends events from before the erasure, they are not stored. Events from \
            after the erasure are stored, unless you give --suppress: then the workspace stores nothing more of the \
            user and the user's devices. Webhooks with --deletions are asked to delete their data of the user. Saved questions \
            that ask for the user are removed, and those with the id in another place are listed.

            The command asks first; without a terminal it needs --yes. It waits until everything is erased, however long \
            that takes. When the command or the server ends early, some days may be erased; run the same command again for \
            the others.
            """)

    @OptionGroup var options: ServerOptions

    @Option(help: "User id.")
    var user: String

    @Flag(help: "Store nothing of the user from now on; `tributary suppress remove` ends that.")
    var suppress = false

    @Option(help: "Why the user is suppressed; for the list and the audit log.")
    var reason = ""

    @Flag(help: "Write the answer as JSON.")
    var json = false

    @OptionGroup var confirmation: ConfirmationOptions

    func validate() throws {
        guard !user.isEmpty else { throw ValidationError("the user id is empty") }
        guard suppress || reason.isEmpty else { throw ValidationError("--reason goes with --suppress") }
    }

    func run() async throws {
        let client = try AdministrationClient(options)
        // In a path, the server or a proxy would take an id such as `..` for a folder.
        let query = [URLQueryItem(name: "userId", value: user)]
        try confirmation.confirm(
            IrreversibleStep(
                losses: [
                    "all events, dead letters, traces and signals of the user \(user.printable), in all sources, are overwritten"
                ],
                question: "Erase the user?", otherwise: "nothing was erased"))
        if suppress {
            try await client.send("PUT", "api/suppressions", query: query, ["reason": .string(reason)])
        }
        var answer = try await client.delete("api/users", query: query)
        // The last answer has the counts; the answers before it have the progress.
        while answer["events"] == nil {
            let (days, done) = (try answer.number("days"), try answer.number("daysDone"))
            Console.error(
                "\(done) of \(days) days are done, \(try answer.number("eventsDone").grouped) events are erased")
            answer = try await client.delete("api/users", query: query)
        }
        guard !json else {
            print(answer)
            return
        }
        let counts = try ["events", "rejected", "traces", "signals"].map { name throws(Failure) in
            try answer.number(name)
        }
        print("erased: \(counts[0]) events, \(counts[1]) dead letters, \(counts[2]) traces, \(counts[3]) signals")
        for (member, words) in [
            ("removedQuestions", "removed saved questions that asked for the user"),
            ("questionsWithId", "saved questions with the id in another place, which are left to you"),
        ] {
            let names = answer[member]?.elements?.compactMap { $0.stringValue?.printable } ?? []
            if !names.isEmpty { print("\(words): \(names.joined(separator: ", "))") }
        }
        let unreadable = try answer.number("unreadableFiles")
        guard unreadable > 0 else { return }
        print(
            "\(unreadable) files in the folder `unreadable` could not be searched; "
                + "delete them when you no longer need them")
    }
}
