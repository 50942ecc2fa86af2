import Foundation
public import Logging
public import WorkspaceCore

/// The configuration of a workspace.
public struct WorkspaceConfiguration: Sendable {
    /// Address to listen on: a name or a number. The default is 127.0.0.1, which only this machine can reach.
    public var host = "127.0.0.1"
    /// Port to listen on; 0 lets the system choose. The default is 8484.
    public var port = 8484
    /// Folder of the database; it is made when it is missing.
    public var dataFolder: String
    /// Sources that must exist. Missing sources are made. It may be empty.
    public var writeKeys: [String] = []
    /// The secret of the administration: 20 to 512 visible ASCII characters. Nil, the default, keeps the stored secret,
    /// or makes one at the first start; see `Workspace.newAdminToken`.
    public var adminToken: String?
    /// Names, besides addresses, `localhost` and `host`, under which the page and the administration answer.
    public var allowedHosts: [String] = []
    /// Addresses of trusted proxies. The server uses their `X-Forwarded-For` and `X-Forwarded-Proto`. Empty by default:
    /// then these headers are ignored.
    public var trustedProxies: [String] = []
    /// The address under which clients reach the workspace, such as `https://stats.example.com`. Settings send clients
    /// there. Nil, the default, uses the address in each request. It may be a path of a site, `https://example.com/stats`;
    /// then the page and the administration do not answer there.
    public var publicURL: String?
    /// A secret that is valid only for reading `/metrics`: 20 to 512 visible ASCII characters. With nil, the default,
    /// only the admin token can read the metrics.
    public var metricsToken: String?
    /// Called with one line for each request; nil, the default, for no access log.
    public var accessLog: Logger?
    /// Certificate and key for https; nil, the default, uses plain http.
    public var tls: TLSIdentity?
    /// Whether the administration may delete the events of a source, for tests of apps. False by default.
    public var allowsReset = false
    /// Whether the server stops gracefully on SIGTERM and SIGINT. False by default, because signals belong to the
    /// process.
    public var handlesSignals = false
    /// The reaction to SIGHUP, when the server handles signals. The default is a graceful stop.
    public var hangUp = HangUp.stop
    /// The logger for errors of the server.
    public var logger = Logger(label: "tributary")
    /// Clock and randomness.
    public var environment = WorkspaceEnvironment.system
    /// Bytes of acknowledged requests that may wait until they are indexed; beyond, clients are asked to send later.
    /// The default is one GiB.
    public var journalBytes = 1 << 30
    /// How many days events are kept, besides today; older ones are deleted by the day. The default is 90; nil keeps
    /// all.
    public var retainDays: Int? = 90
    /// Whether a shorter `retainDays` may delete at once the days that were kept until now. False by default: it waits for
    /// at least a day, and the log and the page say which days are in danger.
    public var confirmsRetention = false
    /// How long a query waits for events that were acknowledged before it. The default is two seconds; with a longer
    /// backlog the answer has only the events that are stored by then.
    public var patience = Duration.seconds(2)
    /// How often changed figures and heartbeats go to listeners of the event stream.
    public var pulse = Pulse()
    /// The path of the program `tributary`, which the server starts to try live plugins on stored events. With nil, the
    /// default, the page cannot try live plugins.
    public var program: String?
    /// The folder of the libraries that the page uses when they are there. The default is the folder of Debian and Ubuntu;
    /// nil uses none.
    public var webLibraries: String? = "/usr/share/javascript"
    /// The folder below which destinations of the kind files write, in a folder for each write key and destination. Nil,
    /// the default, for none: then such destinations cannot be made.
    public var filesFolder: String?
    /// A database of addresses in MaxMind's format (`.mmdb`), from which events get their country. Nil, the default, for none.
    public var countryDatabase: String?
    /// The address that gets messages for operators about roll-outs, as JSON with a member `text`, such as the webhook of a
    /// chat. Nil, the default, for none; the log has them in any case.
    public var noticeURL: String?
    /// The mail server with which alert rules tell operators; nil for none.
    package var mail: MailSettings?
    /// The provider of OpenID Connect with which people log in on the page. Nil, the default, for none: then they log in
    /// with tokens.
    public var openID: OpenIDConfiguration?
    /// How long the server holds a request for settings of an app that asks for it, in seconds: 5 to 60. The default is 45; 0
    /// holds none. A proxy in front must wait longer.
    public var settingsPushSeconds = Limits.settingsPushSeconds
    /// The most requests that are held at once; nil for the usual limit.
    package var heldSettings: Int?
    /// Whether events are forwarded to destinations. True by default; false starts a server for the repair of destinations,
    /// which keeps their events until a later start.
    public var isForwarding = true
    /// The most bytes of all bodies of requests that are in memory at once; beyond, clients are asked to send again. Nil, the
    /// default, for a quarter of the memory that the process may use, and at least 16 MB.
    public var bodyBytes: Int?
    /// The time between two looks at the roll-outs.
    package var rolloutPause = Limits.rolloutPause
    /// The time between two looks for deletion requests that are due.
    var deletionPause = Limits.deletionPause
    /// The time between two looks for replays that may go on.
    var replayPause = Limits.replayPause
    /// The time between two looks at the alert rules.
    var alertPause = Limits.alertPause
    /// The time between two looks whether the database of countries was replaced.
    package var countryPause = Limits.countryPause
    /// Limits searches; nil lets the workspace make its own.
    var scans: Scans?

    /// Intervals of the event stream.
    public struct Pulse: Sendable {
        /// Time between two messages with figures, when they have changed. The default is one second.
        public var statistics: Duration
        /// Time between two heartbeats. The default is 15 seconds.
        public var heartbeat: Duration

        /// Intervals; both have defaults.
        public init(statistics: Duration = .seconds(1), heartbeat: Duration = .seconds(15)) {
            self.statistics = statistics
            self.heartbeat = heartbeat
        }
    }

    /// Whether other machines can reach the server over plain http.
    public var isOpenToTheNetworkWithoutTLS: Bool {
        tls == nil && !["127.0.0.1", "::1", "localhost"].contains(host) && publicURL?.hasPrefix("https:") != true
    }

    /// A configuration with the defaults named at each member.
    public init(dataFolder: String) { self.dataFolder = dataFolder }
}
