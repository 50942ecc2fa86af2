import ArgumentParser
import Foundation
import TributaryJSON

/// Says what the data folder of an app holds, and why events do not leave it.
struct ClientDoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Examines the data folder of an app that uses the client, and says why events stay on the device.",
        discussion: """
            Give the app's own folder (Application Support on Apple's systems, or the folder of \
            StorageMode.diskAtURL), a folder `tributary` in it, or the folder of one write key. Nothing in it is \
            changed, and the app may run. Exits with 1 when something keeps events on the device, was refused, or is \
            damaged.
            """)

    @Argument(help: "The app's data folder.", completion: .directory)
    var folder: String

    @Option(help: "Public key of the app in base 64; checks the signature of the stored live plugins.")
    var publicKey: String?

    @Flag(help: "Write the result as JSON.")
    var json = false

    func run() throws {
        let trusted = try publicKey.map { text throws(Failure) in try ClientBundle.key(text) }
        let clients = try ClientFolder.all(in: folder).map { folder in
            try ClientExamination(folder, publicKey: trusted, now: Int64(Date().timeIntervalSince1970 * 1000)).report
        }
        if json {
            print(JSON.object(["clients": .array(clients.map(\.json))]).description)
        } else {
            for client in clients { print(client.text) }
        }
        if clients.contains(where: \.hasProblems) { throw ExitCode(1) }
    }
}
