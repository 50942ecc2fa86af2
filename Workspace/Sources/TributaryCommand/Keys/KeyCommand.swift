import ArgumentParser
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
