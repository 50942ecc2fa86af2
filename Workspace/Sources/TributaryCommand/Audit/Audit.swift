import ArgumentParser
import Foundation
import TributaryJSON

/// Shows who changed what.
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the changes to a workspace, newest first.")

    @OptionGroup var options: ServerOptions

    @Option(help: "Only changes of the source with this write key.")
    var writeKey: String?

    @Option(help: "How many entries, at most 1000.")
    var limit = 50

    @Flag(help: "Write one JSON object on each line.")
    var json = false

    func run() async throws {
        var query = [URLQueryItem(name: "limit", value: "\(limit)")]
        if let writeKey { query.append(URLQueryItem(name: "writeKey", value: writeKey)) }
        let answer = try await AdministrationClient(options).get("api/audit", query: query)
        for entry in try answer.list("entries") { print(json ? entry.description : Self.line(entry)) }
    }

    private static func line(_ entry: JSON) -> String {
        func text(_ name: String) -> String { entry[name]?.stringValue ?? "" }
        let details = entry["details"]?.objectValue ?? [:]
        let more = details.map { "\($0.key) \($0.value.stringValue ?? $0.value.description)" }.joined(separator: ", ")
        let author = entry["token"]?.stringValue.map { "\($0.printable) (\(text("by")))" } ?? text("by")
        let title = [text("at"), author, text("writeKey"), text("action")].filter { !$0.isEmpty }
        return title.joined(separator: "  ") + (more.isEmpty ? "" : ": \(more)")
    }
}
