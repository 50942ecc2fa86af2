import ArgumentParser
import TributaryJSON

/// Makes a destination.
struct DestinationAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Makes a destination, and prints its secret.",
        discussion: """
            With --url it is a webhook. With --files it writes compressed lines of JSON by the hour, into the folder of \
            `serve --files-folder`.

            The secret is shown only once. Give it to the receiver, which uses it to check that a request came from \
            this workspace. `tributary destination secret` replaces a lost secret.
            """)

    @OptionGroup var options: DestinationOptions

    @Option(help: "Address that gets the events, https or http.")
    var url: String?

    @Flag(help: "Write events to files on the server instead.")
    var files = false

    @OptionGroup var webhook: WebhookOptions

    @Flag(help: "Begin with the oldest stored event; by default with the events that arrive from now on.")
    var fromStart = false

    @Flag(help: "Send nothing until `tributary destination resume`.")
    var off = false

    @Flag(help: "Write the destination as JSON; the secret is in it.")
    var json = false

    func validate() throws {
        guard files != (url != nil) else { throw ValidationError("give --url for a webhook, or --files") }
        guard !files || webhook.isEmpty else { throw ValidationError("only a webhook has requests to be set") }
    }

    func run() async throws {
        let client = try options.client()
        try await refuseToChange(client)
        let answer = try await client.send("PUT", "", try body())
        let secret = try answer.text("secret")
        if json { return print(answer.description) }
        // Nothing is signed in files.
        guard !files else { return print(state) }
        print(secret)
        Console.error(advice)
    }

    /// A wrong name must not change another destination. With `from` the server refuses that too.
    private func refuseToChange(_ client: AdministrationClient) async throws {
        do {
            _ = try await client.get("")
        } catch is AdministrationClient.NotFound {
            // This is also the case when there is no such source; the next request reports that.
            return
        }
        throw Failure("there is a destination \(options.name) already; `tributary destination set` changes it")
    }

    private func body() throws(Failure) -> JSON {
        var settings = JSONObject()
        if let url { settings["url"] = .string(url) }
        try webhook.apply(to: &settings)
        return [
            "kind": files ? "files" : "webhook", "settings": .object(settings), "enabled": .bool(!off),
            "from": fromStart ? "start" : "now",
        ]
    }

    private var state: String {
        let events = fromStart ? "what is stored, and then what arrives" : "what arrives from now on"
        let state = off ? "is made, and off; once it is resumed, it gets \(events)" : "is made, and gets \(events)"
        return "\(options.name) \(state)"
    }

    private var advice: String {
        """
        \(state).
        Above is its secret, which is shown only now. The receiver checks the signatures of requests with it; \
        docs/OPERATING.md, "Forwarding to other services", shows how.
        `tributary destination test` sends a made-up event.
        """
    }
}
