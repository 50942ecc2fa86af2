import ArgumentParser
import Foundation
import ProgramSupport
import TributaryJSON
import WorkspaceCore

/// Sends stored events to a destination once more, and shows how far that is.
struct DestinationReplay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Sends stored events to a destination once more.",
        discussion: """
            The events are sent oldest first, by the filters and the consent of today, each with the id that it had: a \
            receiver recognises by it what it has already. Without a choice, all stored events are sent. The command \
            follows the replay until its last event is handed over; the replay goes on without it.

              tributary destination replay Warehouse --since 2026-11-20 --where 'properties.total>10' --dry-run
              tributary destination replay Warehouse --since 2026-11-20 --rate 200
              tributary destination replay Warehouse --pause
            """)

    enum Step: String, EnumerableFlag {
        case status, pause, resume, end

        static func help(for step: Step) -> ArgumentHelp? {
            switch step {
            case .status: "Show the replay and change nothing."
            case .pause: "Let the replay wait. Events that were handed over are still sent."
            case .resume: "Let a replay that waits go on."
            case .end: "End the replay. Events that were handed over are still sent."
            }
        }
    }

    @OptionGroup var options: DestinationOptions

    @OptionGroup var events: EventChoiceOptions

    @Option(help: "The most events a second. As many as the destination takes unless given.")
    var rate: Int?

    @Flag(help: "Count what would be sent and what would be left out, and send nothing.")
    var dryRun = false

    @Flag(help: "Do not follow the replay.")
    var detach = false

    @Flag(exclusivity: .exclusive)
    var step: Step?

    @Flag(help: "Write the answer as JSON.")
    var json = false

    @OptionGroup var confirmation: ConfirmationOptions

    func validate() throws {
        guard step != nil, dryRun || rate != nil || !events.isEmpty else { return }
        throw ValidationError("--status, --pause, --resume and --end are about a replay that was begun; name no events")
    }

    func run() async throws {
        let client = try options.client()
        if let step { return try await take(step, client) }
        let query = try events.query() + (rate.map { [URLQueryItem(name: "rate", value: "\($0)")] } ?? [])
        let trial = try await client.post("replay", query: query + [URLQueryItem(name: "dryRun", value: "true")])
        if dryRun { return try print(json ? trial.description : ReplayText.trial(trial)) }
        let sent = try trial.number("sent")
        let count = (try trial.flag("complete") ? "" : "more than ") + sent.grouped
        let loss = "\(options.name.printable) gets \(count) \(sent == 1 ? "event" : "events") once more"
        try confirmation.confirm(
            IrreversibleStep(losses: sent > 0 ? [loss] : [], question: "Send them?", otherwise: "nothing was sent"))
        let begun = try await client.post("replay", query: query)
        if detach { return try print(json ? begun.description : ReplayText.line(begun)) }
        try await follow(begun, client)
    }

    private func take(_ step: Step, _ client: AdministrationClient) async throws {
        let answer: JSON =
            switch step {
            case .status: try await client.get("replay")
            case .pause, .resume: try await client.post("replay/\(step.rawValue)")
            case .end: try await client.delete("replay")
            }
        try print(json ? answer.description : ReplayText.line(answer))
    }

    /// Shows how far the replay is until every event is handed over, or an operator ends it elsewhere.
    private func follow(_ begun: JSON, _ client: AdministrationClient) async throws {
        Waiting.explain(stop: "Ctrl-C ends this display; the replay goes on, and --end ends it")
        defer { Waiting.finish() }
        var (answer, pause) = (begun, Pause())
        while try ["running", "paused"].contains(answer.text("state")) {
            let (position, through) = (try answer.number("position"), try answer.number("through"))
            Waiting.show(try ReplayText.line(answer), share: Double(position) / Double(max(through, 1)))
            try await pause.wait()
            answer = try await client.get("replay")
        }
        Waiting.finish()
        try print(json ? answer.description : ReplayText.line(answer))
    }
}

/// A replay as text.
enum ReplayText {
    static func line(_ replay: JSON) throws(Failure) -> String {
        let (handedOver, leftOut) = (try replay.number("handedOver"), try replay.number("leftOut"))
        let waiting = try replay.number("waiting")
        return "\(try replay.text("state").printable): \(handedOver.grouped) handed over, \(leftOut.grouped) left out, "
            + "\(waiting.grouped) wait for the destination"
    }

    static func trial(_ trial: JSON) throws(Failure) -> String {
        let (events, sent) = (try trial.number("events"), try trial.number("sent"))
        let reasons = (trial["leftOut"]?.elements ?? []).map { entry in
            "  \((entry["events"]?.intValue ?? 0).grouped) \((entry["reason"]?.stringValue ?? "").printable)"
        }
        let isComplete = try trial.flag("complete")
        let head =
            "\(sent.grouped) of \(events.grouped) events would be sent"
            + (isComplete ? "" : "; there are more, and counting them all takes too long")
        return ([head] + reasons).joined(separator: "\n")
    }
}
