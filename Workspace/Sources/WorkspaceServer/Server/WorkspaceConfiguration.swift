import Foundation
public import Logging

/// What a workspace needs to know to start.
public struct WorkspaceConfiguration: Sendable {
    /// Address to listen on; a name or a number. 127.0.0.1 unless you say otherwise: only this machine.
    public var host: String
    /// Port to listen on; 0 lets the system choose. 8484 unless you say otherwise.
    public var port: Int
    /// Folder of the database; it is made when it is missing.
    public var dataFolder: String
    /// Sources that must exist; those that are missing are made. Empty is fine.
    public var writeKeys: [String]
    /// The secret of the administration: 20 to 512 visible ASCII characters. Nil, the default, keeps the one that is
    /// stored, or makes one at the first start; see `Workspace.newAdminToken`.
    public var adminToken: String?
    /// Names, besides addresses, `localhost` and `host`, under which the page and the administration answer.
    public var allowedHosts: [String]
    /// Addresses of proxies in front whose `X-Forwarded-For` says who sent a request, and whose `X-Forwarded-Proto` says
    /// whether they speak https. Empty unless you say otherwise: then these headers count for nothing.
    public var trustedProxies: [String]
    /// The address under which clients reach the workspace, such as `https://stats.example.com`; nil, the default, takes
    /// what each request says. Settings lead clients there.
    public var publicURL: String?
    /// A secret that is good for reading `/metrics` and nothing else: 20 to 512 visible ASCII characters. Nil, the
    /// default, leaves the figures to who has the admin token.
    public var metricsToken: String?
    /// Where each request is written down, as one line; nil, the default, for nowhere.
    public var accessLog: Logger?
    /// Certificate and key for https; nil, the default, is plain http.
    public var tls: TLSIdentity?
    /// Whether the events of a source may be deleted through the administration. Off unless you say otherwise: for tests.
    public var allowsReset: Bool
    /// True stops gracefully on SIGTERM and SIGINT. Off unless you say otherwise, since the process is yours.
    public var handlesSignals: Bool
    /// Where the server says what went wrong.
    public var logger: Logger
    /// Clock and randomness.
    public var environment: WorkspaceEnvironment
    /// Bytes of acknowledged requests that may wait until they are indexed; beyond, clients are asked to come back later.
    /// One GiB unless you say otherwise.
    public var journalBytes: Int
    /// How many days events are kept, besides today; older ones are deleted by the day. 90 unless you say otherwise; nil
    /// keeps all.
    public var retainDays: Int?
    /// How long a question about events waits for those that were acknowledged before it. Two seconds unless you say
    /// otherwise; behind a longer backlog the answer is what is stored by then.
    public var patience: Duration
    /// How often changed figures and heartbeats go to listeners of the event stream.
    public var pulse: Pulse
    /// Who looks through events; nil lets the workspace make one of its own.
    var scans: Scans?

    /// Intervals of the event stream.
    public struct Pulse: Sendable {
        /// Between two messages with figures, when they changed. One second unless you say otherwise.
        public var statistics: Duration
        /// Between two heartbeats. 15 seconds unless you say otherwise.
        public var heartbeat: Duration

        /// Intervals; both have defaults.
        public init(statistics: Duration = .seconds(1), heartbeat: Duration = .seconds(15)) {
            self.statistics = statistics
            self.heartbeat = heartbeat
        }
    }

    /// Whether other machines can reach the server and read what goes to and fro.
    public var isOpenToTheNetworkWithoutTLS: Bool {
        tls == nil && !["127.0.0.1", "::1", "localhost"].contains(host) && publicURL?.hasPrefix("https:") != true
    }

    /// A configuration with the defaults named at each member.
    public init(
        host: String = "127.0.0.1",
        port: Int = 8484,
        dataFolder: String,
        writeKeys: [String] = [],
        adminToken: String? = nil,
        allowedHosts: [String] = [],
        trustedProxies: [String] = [],
        publicURL: String? = nil,
        metricsToken: String? = nil,
        accessLog: Logger? = nil,
        tls: TLSIdentity? = nil,
        allowsReset: Bool = false,
        handlesSignals: Bool = false,
        logger: Logger = Logger(label: "tributary"),
        environment: WorkspaceEnvironment = .system,
        journalBytes: Int = 1 << 30,
        retainDays: Int? = 90,
        patience: Duration = .seconds(2),
        pulse: Pulse = Pulse()
    ) {
        self.host = host
        self.port = port
        self.dataFolder = dataFolder
        self.writeKeys = writeKeys
        self.adminToken = adminToken
        self.allowedHosts = allowedHosts
        self.trustedProxies = trustedProxies
        self.publicURL = publicURL
        self.metricsToken = metricsToken
        self.accessLog = accessLog
        self.tls = tls
        self.allowsReset = allowsReset
        self.handlesSignals = handlesSignals
        self.logger = logger
        self.environment = environment
        self.journalBytes = journalBytes
        self.retainDays = retainDays
        self.patience = patience
        self.pulse = pulse
    }
}
