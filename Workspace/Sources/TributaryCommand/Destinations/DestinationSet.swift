import ArgumentParser
import TributaryJSON

/// Changes the settings of a destination.
struct DestinationSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Changes the settings of a destination.",
        discussion: """
            Settings that are not named stay as they are. Events that wait are sent to the new address.

            With --rollout, other code or other settings of a function send the events of a few users first. The workspace goes \
            from stage to stage, and goes back when more events are refused than before. `tributary destination rollout` \
            shows how far it is.
            """)

    @OptionGroup var options: DestinationOptions

    @Option(help: "Address that gets the events, https or http.")
    var url: String?

    @Option(help: ArgumentHelp("Address of the store of a destination of the kind s3.", valueName: "endpoint"))
    var s3: String?

    @Option(help: ArgumentHelp("Server of a database, of a destination of the kind postgres.", valueName: "host"))
    var postgres: String?

    @Option(help: ArgumentHelp("Address of the server of a destination of the kind clickhouse.", valueName: "url"))
    var clickhouse: String?

    @OptionGroup var webhook: WebhookOptions

    @OptionGroup var objects: ObjectStoreOptions

    @OptionGroup var warehouse: WarehouseOptions

    @OptionGroup var function: FunctionOptions

    @OptionGroup var stages: FunctionStageOptions

    @OptionGroup var secret: DestinationSecretOptions

    @OptionGroup var consent: ConsentOptions

    func validate() throws {
        let groups = [
            webhook.isEmpty, objects.isEmpty, warehouse.isEmpty, function.isEmpty, secret.isEmpty, consent.isEmpty,
        ]
        if stages.rollout != nil, function.isEmpty {
            throw ValidationError("--rollout needs --code, --template or --setting")
        }
        if groups.allSatisfy(\.self), [url, s3, postgres, clickhouse].allSatisfy({ $0 == nil }) {
            throw ValidationError(
                "there is nothing to change: name --url, --timeout, --parallel, --batch or --header of a webhook; "
                    + "--s3, --bucket, --prefix, --region, --access-key, --secret-file or --path-style of a store, --format or --columns of a store or of files; "
                    + "--postgres or --clickhouse, --port, --database, --schema, --user, --secret-file, --tls or "
                    + "--statement-timeout of a database; --code, --template, --setting, --secret-file, --timeout or --parallel of a function; --category "
                    + "or --no-categories")
        }
    }

    func run() async throws {
        let client = try options.client()
        let before = try await client.get("")
        // The kinds have settings of the same name, so the address of a database must not become that of a webhook.
        guard clickhouse == nil || before["kind"] == "clickhouse", url == nil || before["kind"] != "clickhouse" else {
            throw Failure(
                "\(options.name) is of another kind; --clickhouse is for the kind clickhouse, --url for webhooks")
        }
        var settings = try before.object("settings")
        if let url = url ?? clickhouse { settings["url"] = .string(url) }
        try webhook.apply(to: &settings)
        if let s3 { settings["endpoint"] = .string(s3) }
        objects.apply(to: &settings)
        if let postgres { settings["host"] = .string(postgres) }
        warehouse.apply(to: &settings)
        try function.apply(to: &settings)
        var change: JSONObject = ["settings": .object(settings)]
        consent.apply(to: &change)
        change["rollout"] = stages.plan
        // The variable may be set for another destination, so only a file replaces a secret.
        if before["kind"] == "function" {
            change["secrets"] = try secret.named()
        } else if !secret.isEmpty {
            change["secret"] = try secret.secret(variable: TokenSource.objectStoreVariable).map(JSON.string)
        }
        // The server replaces settings as a whole, so the command reads them first.
        let answer = try await client.send("PUT", "", .object(change))
        for line in try DestinationReport(answer).lines { print(line) }
        if let advice = consent.advice() { Console.error(advice) }
    }
}
