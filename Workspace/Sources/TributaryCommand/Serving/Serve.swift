import ArgumentParser
import Foundation
import Logging
import ProgramSupport
import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// Runs the server until a signal comes.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a workspace.",
        discussion: """
            Every option can also be in a JSON file, {"port": 8484, "allowed-host": ["stats.example.com"]}, or in the \
            environment, as TRIBUTARY_PORT or TRIBUTARY_ALLOWED_HOST with commas. A flag overrides the environment, \
            and the environment overrides the file.
            """)

    @Option(help: "Configuration file; without it, TRIBUTARY_CONFIG in the environment.", completion: .file())
    var config: String?

    @Option(help: "Address to listen on; by default 127.0.0.1.")
    var host: String?

    @Option(help: "Port to listen on; by default 8484; 0 lets the system choose.")
    var port: String?

    @Option(help: "Folder of the data, made when it is missing; by default tributary-data.")
    var data: String?

    @Option(help: "Source that must exist; made when it is missing. May be repeated.")
    var writeKey: [String] = []

    @Option(
        help: ArgumentHelp(
            "File with the admin token for the workspace.",
            discussion: """
                Without it, TRIBUTARY_ADMIN_TOKEN in the environment. Without both, the workspace makes one at its \
                first start, prints it once, and keeps its digest.
                """),
        completion: .file())
    var adminTokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Name under which the page and the administration answer. May be repeated.",
            discussion: "Addresses, localhost and the host are always allowed."))
    var allowedHost: [String] = []

    @Option(help: "Address of a trusted proxy, whose X-Forwarded-For is used. May be repeated.")
    var trustedProxy: [String] = []

    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp(
            "Address under which clients reach the workspace, such as https://stats.example.com.",
            discussion: """
                Settings send clients there. Without it, they send a client to the address of its own request. It may be a \
                path of a site, https://example.com/stats; the page then needs an address of its own.
                """
        ))
    var publicURL: String?

    @Option(
        help: ArgumentHelp(
            "File with a token that is valid only for reading /metrics.",
            discussion: "Without it, TRIBUTARY_METRICS_TOKEN in the environment."),
        completion: .file())
    var metricsTokenFile: String?

    @Option(
        help: "PEM file with the certificate for https and its chain.",
        completion: .file())
    var tlsCertificate: String?

    @Option(help: "PEM file with the key of that certificate.", completion: .file())
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "How many days events are kept, besides today; by default 90; 0 keeps all.",
            discussion: """
                When a lower number than before deletes days that were kept, the deletion begins on the day after \
                tomorrow. The log and the page say which days.
                """))
    var retainDays: String?

    @Option(
        help: ArgumentHelp(
            "The number of --retain-days, when days that were kept with a higher number may be deleted at once.",
            discussion: "Another number confirms nothing."))
    var confirmRetainDays: String?

    @Option(
        help: ArgumentHelp(
            "Most megabytes of bodies of requests in memory at once; by default a quarter of the memory.",
            discussion: "Beyond that, clients get 503 and send again. The memory is the machine's or the container's."
        ))
    var bodyMemory: String?

    @Option(
        help: ArgumentHelp(
            "Seconds for which a request for settings of an app that asks for it is held; by default 45, 0 for never.",
            discussion:
                "Such an app gets a change at once. A proxy in front has to wait longer for an answer than that."
        ))
    var settingsPush: String?

    @Option(
        help: ArgumentHelp(
            "Folder with libraries for the page, such as its editor; by default /usr/share/javascript.",
            discussion:
                "Debian and Ubuntu put them there with the packages libjs-codemirror and libjs-chart.js. The page works without."
        ),
        completion: .directory)
    var webLibraries: String?

    @Option(
        help: ArgumentHelp(
            "Folder for destinations of the kind files; they write events by the hour, as compressed lines of JSON or as Parquet.",
            discussion: "Each destination has its own folder in it: WRITE-KEY/NAME."),
        completion: .directory)
    var filesFolder: String?

    @Option(
        help: ArgumentHelp(
            "Database of addresses in MaxMind's format (.mmdb); events get the country of their sender from it.",
            discussion: "A replaced file is noticed. The policy of a source says whether it gets countries."),
        completion: .file(extensions: ["mmdb"]))
    var countryDatabase: String?

    @Option(
        name: .customLong("notice-url"),
        help: ArgumentHelp(
            "Address that gets messages about roll-outs, such as the webhook of a chat.",
            discussion:
                "It gets JSON with a member `text`. Put a secret address into TRIBUTARY_NOTICE_URL."
        ))
    var noticeURL: String?

    @OptionGroup(title: "Login with OpenID Connect") var oidc: OpenIDOptions

    @Option(
        name: .customLong("smtp-server"),
        help: ArgumentHelp(
            "Mail server for messages of alert rules: mail.example.com:587.",
            discussion: "With --mail-from and --mail-to. The port is 587, or 465 with --smtp-security tls."))
    var smtpServer: String?

    @Option(
        name: .customLong("smtp-security"),
        help: "How the connection to the mail server is encrypted: starttls (usual), tls, or none.")
    var smtpSecurity: String?

    @Option(
        name: .customLong("smtp-login-file"),
        help: "File with the login at the mail server: the user on the first line, the password on the second.",
        completion: .file())
    var smtpLoginFile: String?

    @Option(
        name: .customLong("smtp-authority"),
        help: "PEM file with the certificates that may sign that of the mail server; those of the system unless given.",
        completion: .file())
    var smtpAuthority: String?

    @Option(help: "Address that mail comes from.")
    var mailFrom: String?

    @Option(help: "Address that gets mail. Repeatable.")
    var mailTo: [String] = []

    @Option(
        help: ArgumentHelp(
            "Servers of NATS that keep the log of a cluster: nats://one:4222,two:4222,three:4222.",
            discussion: """
                With --store, the workspace is a node of a cluster: requests are kept by a majority of these servers, and \
                events in the store. The data folder has settings only.
                """))
    var log: String?

    @Option(
        help: ArgumentHelp(
            "Monitoring of these servers: http://one:8222,http://two:8222,http://three:8222.",
            discussion:
                "Only it shows whether the servers sync acknowledged records. A node does not start otherwise."))
    var logMonitoring: String?

    @Option(
        help: ArgumentHelp(
            "Replicas of ClickHouse that keep the events of a cluster: clickhouse://one:8123,two:8123/tributary.",
            discussion: "Others can see a command line; put an address with a password into TRIBUTARY_STORE."))
    var store: String?

    @Option(
        help: ArgumentHelp(
            "File with the key that seals the settings of a cluster in its log: 20 random characters or more.",
            discussion: "The same on all nodes. Without it, TRIBUTARY_CLUSTER_KEY in the environment."),
        completion: .file())
    var clusterKeyFile: String?

    @Option(
        help: ArgumentHelp(
            "File with earlier keys of a cluster, one on each line, while its key is replaced.",
            discussion: """
                Nodes use them to open older changes. Without it, TRIBUTARY_CLUSTER_OLD_KEYS in the environment, with \
                spaces between the keys.
                """),
        completion: .file())
    var clusterOldKeyFile: String?

    @Option(help: "Partitions of the log of a cluster, fixed at the first start; by default 16.")
    var partitions: String?

    @Option(help: "Name of the node in a cluster, for people; by default the name of the machine.")
    var nodeName: String?

    @Flag(help: "Use https with a certificate that the workspace makes in the data folder.")
    var tlsDevelopment = false

    @Flag(help: "Allow the administration to delete the events of a source, for tests of apps.")
    var allowReset = false

    @Flag(
        help: ArgumentHelp(
            "Start for repair: forward no events to destinations.",
            discussion: "The events are kept, and are sent after a start without the flag."))
    var withoutForwarding = false

    @Flag(help: "Write a line for each request to standard error.")
    var accessLog = false

    @Flag(help: "Log every request error and more to standard error.")
    var verbose = false

    func run() async throws {
        do {
            OpenFiles.raiseLimit()
            // Files that are made from now on are readable by the owner only, because the data contain secrets.
            umask(0o077)
            let values = try ServeValues(
                flags: ServeValues.options.mapValues { $0.texts(of: self) }, config: config)
            let announcement = Announcement(
                consoleURL: try values.text("public-url").flatMap { try PublicURL($0).consoleURL },
                tokenSource: values.text("admin-token-file") ?? TokenSource.variable)
            let configuration = try configuration(values, announcement)
            let cluster = try ServeCluster(values)
            Waiting.explain(stop: "SIGTERM or control-C stops it, and nothing is lost")
            Waiting.show(
                "the data in \(configuration.value.dataFolder) are opened; the workspace listens when that is done")
            let ready: @Sendable (Workspace.Address) async -> Void = { address in
                Waiting.finish()
                await announcement.listening(address)
                if configuration.value.isOpenToTheNetworkWithoutTLS {
                    configuration.value.logger.warning("\(Self.plainWarning)")
                }
            }
            let workspace =
                if let node = try await cluster?.node(configuration.value.logger) {
                    try await Workspace.open(configuration.value, node: node, onReady: ready)
                } else {
                    try Workspace(configuration.value, onReady: ready)
                }
            await announcement.opened(workspace, certificate: configuration.certificate)
            try await workspace.run()
        } catch let error as WorkspaceError {
            throw Failure(error.description)
        }
    }

    private func configuration(
        _ values: ServeValues, _ announcement: Announcement
    ) throws -> (value: WorkspaceConfiguration, certificate: String?) {
        var logger = Logger(label: "tributary") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = try values.bool("verbose") ? .debug : .notice
        var configuration = WorkspaceConfiguration(dataFolder: values.text("data") ?? "tributary-data")
        configuration.host = values.text("host") ?? configuration.host
        configuration.port = try values.number("port", in: ServeValues.ports) ?? configuration.port
        configuration.writeKeys = values.list("write-key")
        configuration.adminToken = try TokenSource.token(file: values.text("admin-token-file"))
        configuration.allowedHosts = values.list("allowed-host")
        configuration.trustedProxies = values.list("trusted-proxy")
        configuration.publicURL = values.text("public-url")
        configuration.metricsToken = try TokenSource.token(
            file: values.text("metrics-token-file"), variable: TokenSource.metricsVariable)
        if try values.bool("access-log") {
            var access = Logger(label: "access") { StreamLogHandler.standardError(label: $0) }
            access.logLevel = .info
            configuration.accessLog = access
        }
        configuration.allowsReset = try values.bool("allow-reset")
        if let days = try values.number("retain-days", in: ServeValues.retention) {
            configuration.retainDays = days == 0 ? nil : days
        }
        if let confirmed = try values.number("confirm-retain-days", in: 1...36_500) {
            configuration.confirmsRetention = confirmed == configuration.retainDays
        }
        if let megabytes = try values.number("body-memory", in: 16...1_048_576) {
            configuration.bodyBytes = megabytes << 20
        }
        configuration.settingsPushSeconds = try settingsPush(values)
        configuration.webLibraries = values.text("web-libraries") ?? configuration.webLibraries
        configuration.noticeURL = values.text("notice-url")
        configuration.mail = try values.mail()
        configuration.openID = try OpenIDOptions.configuration(values)
        configuration.filesFolder = values.text("files-folder").map {
            URL(fileURLWithPath: $0).standardizedFileURL.path
        }
        configuration.countryDatabase = values.text("country-database").map {
            URL(fileURLWithPath: $0).standardizedFileURL.path
        }
        configuration.isForwarding = try !values.bool("without-forwarding")
        configuration.handlesSignals = true
        configuration.hangUp = try hangUp(values)
        configuration.program = Bundle.main.executablePath
        configuration.logger = logger
        let certificate = try addTLS(values, to: &configuration)
        return (configuration, certificate)
    }

    private func settingsPush(_ values: ServeValues) throws -> Int {
        let range = Limits.settingsPush
        guard let seconds = try values.number("settings-push", in: 0...range.upperBound) else {
            return Limits.settingsPushSeconds
        }
        guard seconds == 0 || range.contains(seconds) else {
            throw Failure("settings-push is 0 or from \(range.lowerBound) to \(range.upperBound) seconds")
        }
        return seconds
    }

    /// A server in a terminal ends with it. Without a terminal, as under systemd, SIGHUP asks for the files again.
    private func hangUp(_ values: ServeValues) throws -> HangUp {
        guard isatty(STDIN_FILENO) == 0 || Self.isIgnored(SIGHUP) else { return .stop }
        let files = (
            certificate: values.text("tls-certificate"), key: values.text("tls-key"),
            admin: values.text("admin-token-file"), metrics: values.text("metrics-token-file")
        )
        return .renew {
            var settings = RenewedSettings()
            if let certificate = files.certificate, let key = files.key {
                settings.tls = try TLSIdentity(certificate: certificate, key: key)
            }
            if let file = files.admin { settings.adminToken = try TokenSource.token(file: file) }
            if let file = files.metrics { settings.metricsToken = try TokenSource.token(file: file) }
            return settings
        }
    }

    /// Whether the process was started so that the signal does nothing, as `nohup` does.
    private static func isIgnored(_ number: Int32) -> Bool {
        let before = signal(number, SIG_DFL)
        signal(number, before)
        // Handlers are addresses of functions, which Swift does not compare.
        return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static let plainWarning = """
        the workspace listens to other machines over http, so tokens and events can be read on their way; use \
        --tls-certificate, or a proxy that speaks https and --host 127.0.0.1
        """

    /// - Returns: the certificate that clients have to trust, when the workspace made it.
    private func addTLS(_ values: ServeValues, to configuration: inout WorkspaceConfiguration) throws -> String? {
        let isDevelopment = try values.bool("tls-development")
        switch (values.text("tls-certificate"), values.text("tls-key")) {
        case (nil, nil):
            guard isDevelopment else { return nil }
            let files = try DevelopmentCertificate.files(
                in: configuration.dataFolder, hosts: [configuration.host] + configuration.allowedHosts)
            configuration.tls = try TLSIdentity(certificate: files.certificate, key: files.key)
            return files.certificate
        case (let certificate?, let key?):
            guard !isDevelopment else { throw Failure("give a certificate, or let the workspace make one; not both") }
            configuration.tls = try TLSIdentity(certificate: certificate, key: key)
            return nil
        default: throw Failure("https needs both, --tls-certificate and --tls-key")
        }
    }
}
