import ArgumentParser
import Foundation
import TributaryJSON

/// The keys of a source.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Adds, revokes and lists the write keys of a source.",
        discussion: """
            To change a key, add a new one, give it to the next version of the app, and revoke the old one when no app \
            uses it any more. --write-key names the source by its first key, also when that key is revoked.
            """,
        subcommands: [KeyAdd.self, KeyRevoke.self, KeyList.self])

    static func line(_ key: JSON) -> String {
        func text(_ member: String) -> String { (key[member]?.stringValue ?? "?").printable }
        let state = key["revokedAt"]?.stringValue.map { ", revoked \($0.printable)" } ?? ""
        return "\(text("key"))  \(text("name")), made \(text("createdAt"))\(state)"
    }
}

struct KeyAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Adds a key and prints it.")

    @OptionGroup var options: SourceOptions

    @Option(help: "Its name.")
    var name: String?

    @Option(help: "The key itself; by default the workspace makes one.")
    var key: String?

    func run() async throws {
        var body: JSON = [:]
        body["name"] = name.map(JSON.string)
        body["key"] = key.map(JSON.string)
        let answer = try await AdministrationClient(options).send(
            "POST", "keys", body: Data(body.encoded()), type: "application/json")
        print(try answer.text("key").printable)
    }
}

struct KeyRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revokes a key, at once. A revoked key can never be used again.")

    @Argument(help: "The key.")
    var key: String

    @OptionGroup var options: SourceOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).delete("keys", named: key)
        for key in try answer.list("keys") { print(KeyCommand.line(key)) }
    }
}

struct KeyList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Shows the keys of a source.")

    @OptionGroup var options: SourceOptions

    @OptionGroup var list: ListOptions

    func run() async throws {
        try list.show(try await AdministrationClient(options).get("keys"), "keys", line: KeyCommand.line)
    }
}
