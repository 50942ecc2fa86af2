import ArgumentParser
import TributaryJSON

/// Makes an alert rule or replaces it.
struct AlertSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Makes an alert rule, or replaces the one of that name.",
        discussion: """
            Kinds:
              silence       no event of that name for 30 minutes: --write-key, --event, --minutes
              rejected      more than 5 % of the last 30 minutes were rejected: --write-key, --percent, --minutes, --at-least
              lag           the oldest waiting event is 5 minutes old: --write-key, --destination, --minutes
              deadLetters   a destination has dead letters: --write-key, --destination, --at-least
              plan          10 events of the last 30 minutes differed from the tracking plan: --write-key, --event, --minutes, --at-least
              loss          a version of the app lost 5 % of its events in a day, as 20 devices say: --write-key, --percent, --minutes, --at-least
              disk          less than 10 % of the disk are free: --percent

            Without --url, messages go to the address that the server was started with (serve --notice-url), and with --to mail by its mail server (serve --smtp-server).
            """)

    @Argument(help: "Its name.")
    var name: String

    @Option(help: "The state to watch for.")
    var kind: String

    @Option(help: "The source.")
    var writeKey: String?

    @Option(help: "The name of the event.")
    var event: String?

    @Option(help: "The destination.")
    var destination: String?

    @Option(help: "How many minutes.")
    var minutes: Int?

    @Option(help: "How many percent.")
    var percent: Int?

    @Option(help: "How many events there have to be, or dead letters, or devices.")
    var atLeast: Int?

    @Option(help: "Where messages go: notices, mail, webhook or slack.")
    var to: String?

    @Option(help: "The address of a webhook, or of a chat like Slack. It is not shown again.")
    var url: String?

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let texts = [
            ("kind", kind), ("writeKey", writeKey), ("event", event), ("destination", destination),
            ("to", to ?? url.map { _ in "webhook" }), ("url", url),
        ]
        var body = JSONObject()
        for (member, value) in texts { if let value { body[member] = .string(value) } }
        for (member, value) in [("minutes", minutes), ("percent", percent), ("atLeast", atLeast)] {
            if let value { body[member] = .number(JSONNumber(value)) }
        }
        let rule = try await AdministrationClient(options).below("api/alerts", named: name)
            .send("PUT", "", .object(body))
        print(AlertCommand.line(rule))
    }
}
