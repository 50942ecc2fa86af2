import ArgumentParser
import Foundation
import TributaryJSON
import WorkspaceCore

/// Shows the events that a destination did not accept, and sends them again or deletes them from the list.
struct DestinationDeadLetters: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead-letters",
        abstract:
            "Shows events that a destination did not accept, oldest first; sends them again, or deletes the list.",
        discussion: """
            A dead letter is an event that the destination refused, or did not accept for a long time. The event \
            itself stays stored.
            """)

    @OptionGroup var options: DestinationOptions

    @Flag(help: "Send them again.")
    var retry = false

    @Option(
        name: .customLong("sequence"), help: "With --retry: only the one of this number; may be given several times.")
    var sequences: [Int64] = []

    @Flag(help: "Delete all of them from the list.")
    var discard = false

    @Option(help: "How many to show, at most 1000.")
    var limit = 50

    @Option(help: "Show only those with a higher number.")
    var after: Int64?

    @Flag(help: "Write one JSON object on each line.")
    var json = false

    @OptionGroup var confirmation: ConfirmationOptions

    func validate() throws {
        if retry && discard { throw ValidationError("--retry and --discard do not go together") }
        if !sequences.isEmpty && !retry { throw ValidationError("--sequence goes with --retry") }
    }

    func run() async throws {
        let client = try options.client()
        if retry { return try await sendAgain(client) }
        if discard {
            let count = try await client.get("").number("deadLetters")
            let loss =
                "\(options.name.printable) never gets the \(count.grouped) \(count == 1 ? "event" : "events") of its dead letters"
            try confirmation.confirm(
                IrreversibleStep(
                    losses: count > 0 ? [loss] : [], question: "Delete the list?", otherwise: "nothing was deleted"))
            let answer = try await client.delete("dead-letters")
            return tell(answer, try answer.number("discarded"), "forgotten")
        }
        try await show(client)
    }

    private func sendAgain(_ client: AdministrationClient) async throws {
        let path = "dead-letters/retry"
        let numbers = sequences.map { JSON.number($0) }
        let answer =
            try await numbers.isEmpty
            ? client.post(path) : client.send("POST", path, ["sequences": .array(numbers)])
        tell(answer, try answer.number("retried"), "sent again")
    }

    private func tell(_ answer: JSON, _ count: Int, _ what: String) {
        print(json ? answer.description : "\(count.grouped) \(count == 1 ? "event is" : "events are") \(what)")
    }

    private func show(_ client: AdministrationClient) async throws {
        var query = [URLQueryItem(name: "limit", value: "\(limit)")]
        if let after { query.append(URLQueryItem(name: "after", value: "\(after)")) }
        let answer = try await client.get("dead-letters", query: query)
        let letters = try answer.list("deadLetters")
        if letters.isEmpty && !json { print("no dead letters") }
        for letter in letters { print(json ? letter.description : Self.line(letter)) }
        if let next = answer["next"]?.intValue { Console.error("there may be more: --after \(next) shows them") }
    }

    private static func line(_ letter: JSON) -> String {
        func text(_ name: String) -> String { letter[name]?.stringValue?.printable ?? "" }
        let attempts = letter["attempts"]?.intValue ?? 0
        let since = text("since").isEmpty ? "" : " since \(text("since"))"
        return "\(letter["sequence"]?.intValue ?? 0)  \(text("at"))  \(text("messageId"))  \(text("reason")), "
            + "\(attempts) \(attempts == 1 ? "attempt" : "attempts")\(since)"
    }
}
