import ArgumentParser
import TributaryJSON

/// Makes a destination.
struct DestinationAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Makes a destination, and prints the secret of a webhook.",
        discussion: """
            With --url it is a webhook. With --files it writes compressed lines of JSON by the hour, into the folder of \
            `serve --files-folder`. With --s3 it writes them into a bucket of a store with the interface of S3: name \
            --bucket and --access-key, and the secret access key with --secret-file. Both write tables with --format parquet. \
            With --postgres it loads tables of a PostgreSQL database: name --database and --user, and the file of the password \
            with --secret-file. With --clickhouse it loads tables of a ClickHouse database. With --code or \
            --template it sends the requests that a function makes of events: name its settings with --setting, and the \
            files of its secrets with --secret-file name=FILE.

            The secret of a webhook is shown only once. Give it to the receiver, which uses it to check that a request \
            came from this workspace. `tributary destination secret` replaces a lost secret.
            """)

    @OptionGroup var options: DestinationOptions

    @Option(help: "Address that gets the events, https or http.")
    var url: String?

    @Flag(help: "Write events to files on the server instead.")
    var files = false

    @Option(
        help: ArgumentHelp(
            "Write events into a store with the interface of S3 instead; its address without a path.",
            valueName: "endpoint"))
    var s3: String?

    @Option(
        help: ArgumentHelp(
            "Load events into a PostgreSQL database instead; its server, or the folder of its socket.",
            valueName: "host"))
    var postgres: String?

    @Option(
        help: ArgumentHelp(
            "Load events into a ClickHouse database instead; the address of its HTTP interface without a path.",
            valueName: "url"))
    var clickhouse: String?

    @OptionGroup var webhook: WebhookOptions

    @OptionGroup var objects: ObjectStoreOptions

    @OptionGroup var warehouse: WarehouseOptions

    @OptionGroup var function: FunctionOptions

    @OptionGroup var secret: DestinationSecretOptions

    @OptionGroup var consent: ConsentOptions

    @Flag(help: "Begin with the oldest stored event; by default with the events that arrive from now on.")
    var fromStart = false

    @Flag(help: "Send nothing until `tributary destination resume`.")
    var off = false

    @Flag(help: "Write the destination as JSON; the secret of a webhook is in it.")
    var json = false

    func validate() throws {
        let kinds = [files, url != nil, s3 != nil, isWarehouse, function.hasCode]
        guard kinds.count(where: \.self) == 1, postgres == nil || clickhouse == nil else {
            throw ValidationError(
                "give --url for a webhook, --files, --s3, --postgres, --clickhouse, --code or --template")
        }
        guard url != nil || (function.hasCode && webhook.isForAllRequests) || webhook.isEmpty else {
            throw ValidationError("only a webhook has settings for requests; a function has --timeout and --parallel")
        }
        guard function.hasCode || function.isEmpty else {
            throw ValidationError("only a function, with --code or --template, has --setting")
        }
        guard s3 != nil || objects.isEmpty || (files && objects.isForFiles) else {
            throw ValidationError("only a destination with --s3 has a bucket and keys; one with --files has --format")
        }
        guard s3 == nil || (objects.bucket != nil && objects.accessKey != nil) else {
            throw ValidationError("--s3 needs --bucket and --access-key")
        }
        guard postgres != nil || warehouse.isEmpty || (clickhouse != nil && warehouse.isForAllDatabases) else {
            throw ValidationError(
                "only a destination with --postgres has a database, a schema and a user; one with --clickhouse has a "
                    + "database and a user")
        }
        guard postgres == nil || (warehouse.database != nil && warehouse.user != nil) else {
            throw ValidationError("--postgres needs --database and --user")
        }
        guard s3 != nil || isWarehouse || function.hasCode || secret.isEmpty else {
            throw ValidationError(
                "only a destination with --s3, --postgres, --clickhouse, --code or --template takes a secret; the server "
                    + "makes others")
        }
    }

    private var isWarehouse: Bool { postgres != nil || clickhouse != nil }

    func run() async throws {
        let client = try options.client()
        try await refuseToChange(client)
        let answer = try await client.send("PUT", "", try body())
        if json { return print(answer.description) }
        if let advice = consent.advice() { Console.error(advice) }
        // Nothing is signed in files, and the secret of a store is known already.
        guard url != nil else { return print(state) }
        print(try answer.text("secret"))
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
        if let url = url ?? clickhouse { settings["url"] = .string(url) }
        try webhook.apply(to: &settings)
        if let s3 { settings["endpoint"] = .string(s3) }
        objects.apply(to: &settings)
        if let postgres { settings["host"] = .string(postgres) }
        warehouse.apply(to: &settings)
        try function.apply(to: &settings)
        var body: JSONObject = [
            "kind": .string(kind), "settings": .object(settings), "enabled": .bool(!off),
            "from": fromStart ? "start" : "now",
        ]
        consent.apply(to: &body)
        if function.hasCode { body["secrets"] = try secret.named() }
        // A database may ask for no password.
        if postgres != nil {
            body["secret"] = try secret.secret(variable: TokenSource.postgresVariable).map(JSON.string)
        }
        if clickhouse != nil {
            body["secret"] = try secret.secret(variable: TokenSource.clickHouseVariable).map(JSON.string)
        }
        guard s3 != nil else { return .object(body) }
        guard let secret = try secret.secret(variable: TokenSource.objectStoreVariable) else {
            throw Failure(
                "the secret access key is missing: name its file with --secret-file, or set "
                    + TokenSource.objectStoreVariable)
        }
        body["secret"] = .string(secret)
        return .object(body)
    }

    private var kind: String {
        if s3 != nil { return "s3" }
        if postgres != nil { return "postgres" }
        if clickhouse != nil { return "clickhouse" }
        if function.hasCode { return "function" }
        return files ? "files" : "webhook"
    }

    private var state: String {
        let events = fromStart ? "the stored events, and then new events" : "new events"
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
