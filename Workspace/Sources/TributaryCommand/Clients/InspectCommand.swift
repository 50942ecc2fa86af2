import ArgumentParser
import Foundation
import ProgramSupport
import TributaryJSON
import WorkspaceCore

/// Shows what waits in the data folder of an app, and how it comes and goes.
struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract:
            "Shows the events that wait in the data folder of an app, the user's consent and the state of delivery.",
        discussion: """
            Give the app's own folder (Application Support on Apple's systems, or the folder of \
            StorageMode.diskAtURL), a folder `tributary` in it, or the folder of one write key. Nothing in it is \
            changed, and the app may run. With --follow, the command goes on with each change: events that the app stores, \
            that go on to the next log, and that are gone; control and C ends it. Of an encrypted folder only sizes are known. \
            `tributary doctor client` judges the same folder.
            """)

    /// The most events of a log that the command follows; of the others it knows the number.
    private static let mostFollowed = 10_000

    @Argument(help: "The app's data folder.", completion: .directory)
    var folder: String

    @Flag(help: "Go on with each change.")
    var follow = false

    @Option(help: "How many of the newest events to show, at most 1000.")
    var last = 20

    @Flag(help: "Write one JSON object on each line.")
    var json = false

    func validate() throws {
        guard (0...1000).contains(last) else { throw ValidationError("--last is a number from 0 to 1000") }
    }

    func run() async throws {
        let keeping = follow ? Self.mostFollowed : last
        let folders = try ClientFolder.all(in: folder)
        // Before the first look, so that a change during that look is noticed.
        let state = folders.map { FolderState($0.path) }
        let found = try folders.map { folder throws(Failure) in
            try ClientInspection(folder, keeping: keeping, now: Self.now)
        }
        show(found)
        guard follow else { return }
        let isOne = found.count == 1
        var follower = ClientFollower(folder, found, state, keeping: keeping)
        // A look that has begun ends in order, because it removes its copies of the logs.
        let interruption = Interruption(further: .endsProcess)
        while !interruption.isRaised {
            try await Task.sleep(for: ClientFollower.pause)
            for (folder, change) in try follower.look(now: Self.now) { show(change, of: isOne ? nil : folder) }
        }
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    private func show(_ clients: [ClientInspection]) {
        if json {
            say(JSON.object(["clients": .array(clients.map { $0.json(last: last) })]).description)
        } else {
            for client in clients { say(client.text(last: last)) }
        }
    }

    /// - Parameter folder: nil when there is only one client.
    private func show(_ change: ClientChange, of folder: ClientFolder?) {
        guard json else { return say(change.line + (folder.map { "  (\($0.writeKey.printable))" } ?? "")) }
        var line = change.json
        if let folder { line["writeKey"] = .string(folder.writeKey) }
        say(line.description)
    }

    /// A reader of a pipe wants each line at once.
    private func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
