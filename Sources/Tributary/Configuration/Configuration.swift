public import Foundation
public import Logging
public import TributaryJSON
public import TributaryJournal

/// The configuration of a client: a chain of calls that each return the configuration.
///
/// ```swift
/// let configuration = Configuration(writeKey: "KEY")
///     .apiHost("analytics.example.com/v1")
///     .cdnHost("analytics.example.com/v1")
///     .flushInterval(10)
/// ```
///
/// The client copies the configuration when it is made; later changes have no effect on it.
public final class Configuration {
    /// The configured values, with defaults for all others.
    public struct Values: Sendable {
        /// The key of the source.
        public internal(set) var writeKey: String
        /// The host for events; nil unless the app named one. It wins over the host in the settings.
        public internal(set) var apiHost: String?
        /// The host for events when neither app nor settings name one.
        var fallbackAPIHost: String?
        /// The host for settings.
        public internal(set) var cdnHost = "cdn-settings.segment.com/v1"
        /// The number of events that starts a delivery.
        public internal(set) var flushAt = 20
        /// The longest time in seconds from an event to its delivery.
        public internal(set) var flushInterval: TimeInterval = 30
        var flushPolicies: [Handed<any FlushPolicy>]?
        /// The handling of failed requests, unless the settings have their own.
        public internal(set) var httpConfig = HttpConfig.standard
        /// The settings that apply before the client has ever received any.
        public internal(set) var defaultSettings = Settings()
        /// Seconds to wait for the first settings.
        public internal(set) var settingsTimeout: TimeInterval = 10
        /// Seconds between requests for settings.
        public internal(set) var settingsInterval: TimeInterval = 300
        /// Whether a change of the settings arrives at once while the user sees the app.
        public internal(set) var settingsPush = false
        /// The longest time in seconds for which waiting plugins can delay the start of processing.
        public internal(set) var waitingTimeout: TimeInterval = 30
        /// The longest time in seconds for one call of a device-mode destination.
        public internal(set) var destinationTimeout: TimeInterval = Limits.destinationTimeout
        /// Whether events go to the server that `apiHost` names.
        public internal(set) var autoAddSegmentDestination = true
        /// Where events wait.
        public internal(set) var storageMode = StorageMode.disk
        /// The program that the client runs in.
        var program = Program.current
        /// Whether the system sends a copy of the waiting events when the app goes to the background without a network.
        public internal(set) var uploadsInBackground = false
        /// Makes the sender of that copy; nil uses the system's.
        var makeCopySender: (@Sendable (_ name: String, _ folder: URL) -> any CopySender)?
        /// The limits of the events that wait on disk.
        public internal(set) var storageLimits = JournalBounds()
        /// The failure that an event survives after its call has returned.
        public internal(set) var durability = Durability.process
        /// Whether events are processed on threads of the client or on those of the callers.
        public internal(set) var operatingMode = OperatingMode.asynchronous
        /// Seconds that `flush` may take in `OperatingMode.synchronous`.
        public internal(set) var flushTimeout: TimeInterval = 10
        var storageCipher: (any JournalCipher)?
        /// The rule for numbers that JSON cannot hold.
        public internal(set) var nonFiniteNumbers = NonFiniteNumbers.zero
        var anonymousIdGenerator: (@Sendable () -> String)?
        var errorHandler: (@Sendable (any Error) -> Void)?
        var diagnosticObserver: (@Sendable (Diagnostic) -> Void)?
        /// Whether the client reports what each stage did with an event.
        public internal(set) var inspector = false
        /// Whether the client reports to its server how live plugins, destinations and delivery do.
        public internal(set) var healthReports = true
        /// Whether the server can have the events of a user traced for a time.
        public internal(set) var remoteTracing = true
        /// Whether requests are compressed.
        public internal(set) var gzip = true
        var logger = Logger(label: "tributary")
        var transport: (any Transport)?
        var requestFactory: RequestFactory?
        /// The conditions of the app; nil unless the app set them. The app may have set none.
        var conditions: (any UploadConditions)??
        /// The user agent that each event gets; nil for none.
        public internal(set) var userAgent: String?
        var time: any TimeSource = SystemTimeSource()
        var identifiers = Identifiers()
        /// The migration of other libraries' data.
        public internal(set) var migration = Migration.automatic
        /// The consent until the user decides.
        public internal(set) var consent = ConsentState.granted
        /// Whether events wait until the client has had settings once.
        public internal(set) var requiresSettings = false
        /// The categories of each destination.
        public internal(set) var destinationCategories: [String: [String]] = [:]
        /// Which events of the app's life are tracked.
        public internal(set) var trackedLifecycleEvents = TrackedLifecycleEvent.all
        var files: any FileSystem = PosixFileSystem()
        /// Seconds that a client waits for a disk that cannot be read before it begins in memory; nil waits without
        /// limit. A locked device is unlocked some time; on other systems a refusal is probably permanent.
        var unlockPatience: TimeInterval? = Configuration.unlockPatience
    }

    private static var unlockPatience: TimeInterval? {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        nil
        #else
        30
        #endif
    }

    /// The values configured so far.
    public internal(set) var values: Values

    /// A configuration with the defaults of all options.
    public init(writeKey: String) { values = Values(writeKey: writeKey) }

    func with(_ change: (inout Values) -> Void) -> Self {
        change(&values)
        return self
    }

    /// Host and path for events; `https` unless a scheme is given. It wins over the host in the settings.
    ///
    /// Default: the host in the settings, else `api.segment.io/v1`.
    @discardableResult public func apiHost(_ value: String) -> Self { with { $0.apiHost = value } }

    /// Host and path for settings; `https` unless a scheme is given. Default: `cdn-settings.segment.com/v1`.
    @discardableResult public func cdnHost(_ value: String) -> Self { with { $0.cdnHost = value } }

    /// The number of events that starts a delivery. Default: 20.
    @discardableResult public func flushAt(_ count: Int) -> Self { with { $0.flushAt = max(1, count) } }

    /// The longest time in seconds from an event to its delivery; 0 or less sets no limit. Default: 30.
    @discardableResult public func flushInterval(_ seconds: TimeInterval) -> Self {
        with { $0.flushInterval = seconds }
    }

    /// The policies that decide when events are delivered, in place of `flushAt` and `flushInterval`. Each policy
    /// belongs to one client.
    @discardableResult public func flushPolicies(_ policies: [any FlushPolicy]) -> Self {
        with { $0.flushPolicies = policies.map(Handed.init) }
    }

    /// The handling of failed requests, unless the settings have their own. Default, also for nil: the library's own,
    /// see `HttpConfig`.
    @discardableResult public func httpConfig(_ config: HttpConfig?) -> Self {
        with { $0.httpConfig = config ?? .standard }
    }

    /// Settings that apply before the client has ever received any. Default: the cloud destination alone.
    @discardableResult public func defaultSettings(_ settings: Settings?) -> Self {
        with { $0.defaultSettings = settings ?? Settings() }
    }

    /// The longest wait in seconds for the first settings. Then the cached settings apply, or the default ones.
    /// Default: 10.
    @discardableResult public func settingsTimeout(_ seconds: TimeInterval) -> Self {
        with { $0.settingsTimeout = seconds }
    }

    /// Whether events wait until the client has had settings of the workspace once. Default: false.
    ///
    /// By default, a new client that gets no settings within `settingsTimeout` begins with `defaultSettings`. Its events then
    /// go to the server without the workspace's filters, tracking plan and consent categories, and
    /// `EventCounters.processedWithoutSettings` counts them. With true, no plugin, destination or server gets an event before
    /// the first settings came; events are kept, and the client asks for settings every 5 to 60 seconds. From then on the
    /// settings of an earlier launch count, also without a network. `defaultSettings` are no settings of the workspace.
    @discardableResult public func requiresSettings(_ value: Bool) -> Self { with { $0.requiresSettings = value } }

    /// Seconds between requests for settings; 0 requests them once. Default: 300. While a roll-out is under way, a server can
    /// ask for a shorter time, but not for less than 60 seconds.
    @discardableResult public func settingsInterval(_ seconds: TimeInterval) -> Self {
        with { $0.settingsInterval = seconds }
    }

    /// Whether a change of the settings arrives at once while the user sees the app, instead of at the next interval.
    /// Default: false.
    ///
    /// With true, the client keeps one request open, which the server answers when the settings change: a new version of the
    /// live plugins, a filter or a stop then reaches the app within seconds. It does so only in the foreground (on Linux while
    /// the client runs), with the user's consent, under the conditions for uploads, and with servers that say in their settings
    /// that they hold requests. A server or a proxy that answers early is asked at the interval again. The open request has a
    /// connection of its own; with a ``transport(_:)`` or a session of the app, leave room for one more. The guide to
    /// live plugins has what it costs.
    ///
    /// ```swift
    /// let configuration = Configuration(writeKey: "KEY").settingsPush(true)
    /// ```
    @discardableResult public func settingsPush(_ value: Bool) -> Self { with { $0.settingsPush = value } }

    /// The longest time in seconds for which waiting plugins can delay the start of processing. Default: 30.
    @discardableResult public func waitingTimeout(_ seconds: TimeInterval) -> Self {
        with { $0.waitingTimeout = seconds }
    }

    /// The longest time in seconds for one call of a device-mode destination. Later the client no longer waits for the
    /// call. Default: 5.
    ///
    /// During the call the destination's events stay on disk, and `after` plugins wait. Other destinations and the
    /// server do not wait.
    @discardableResult public func destinationTimeout(_ seconds: TimeInterval) -> Self {
        with { $0.destinationTimeout = seconds > 0 ? seconds : Limits.destinationTimeout }
    }

    /// Whether events go to the server that `apiHost` names. Default: true.
    @discardableResult public func autoAddSegmentDestination(_ value: Bool) -> Self {
        with { $0.autoAddSegmentDestination = value }
    }

    /// Where waiting events are stored. Default: on disk.
    @discardableResult public func storageMode(_ mode: StorageMode) -> Self { with { $0.storageMode = mode } }

    /// The limits of waiting events on disk, for all clients of this write key together. The client drops the oldest
    /// events first, counts them in `Analytics.counters` and reports them. It never drops an event that is on its way
    /// to the server.
    /// - Parameters:
    ///   - bytes: default 50,000,000.
    ///   - events: default 1,000,000.
    ///   - age: seconds since the event was stored, whatever its timestamp; default 30 days.
    @discardableResult public func storageLimits(
        bytes: Int = 50_000_000, events: Int = 1_000_000, age: TimeInterval = 30 * 86_400
    ) -> Self {
        let seconds = age.isFinite ? min(max(age, 1), 1e12) : 1e12
        return with { $0.storageLimits = JournalBounds(bytes: bytes, records: events, age: Int(clamping: seconds)) }
    }

    /// The failure that an event survives after its call has returned. Default: the end of the process.
    @discardableResult public func durability(_ durability: Durability) -> Self { with { $0.durability = durability } }

    /// Whether events are processed on threads of the client or on those of the callers. Default: threads of the
    /// client.
    @discardableResult public func operatingMode(_ mode: OperatingMode) -> Self { with { $0.operatingMode = mode } }

    /// The longest time in seconds that `Analytics.flush()` waits for delivery in `OperatingMode.synchronous`; with 0
    /// or less it does not wait. The asynchronous mode ignores it. Default: 10.
    @discardableResult public func flushTimeout(_ seconds: TimeInterval) -> Self { with { $0.flushTimeout = seconds } }

    /// Encrypts events and identity on disk, for instance with `AESGCMCipher` of `TributaryEncryption`. Default: no
    /// encryption.
    ///
    /// A client cannot read a queue that was encrypted with another key. It reports the queue and leaves it alone, and
    /// begins as a new user in a queue of its own. A client with the right key reads and delivers the old queue. Events
    /// from before the encryption was switched on stay readable.
    @discardableResult public func storageCipher(_ cipher: any JournalCipher) -> Self {
        with { $0.storageCipher = cipher }
    }

    /// The data that the client takes over from another analytics library at its first start. Default: `.automatic`.
    @discardableResult public func migration(_ migration: Migration) -> Self { with { $0.migration = migration } }

    /// Reads data that another library encrypted, unless the app has already configured how.
    @discardableResult
    package func migrationDecrypting(_ decrypt: @escaping @Sendable (Data) -> Data?) -> Self {
        with { if $0.migration.decrypt == nil { $0.migration.decrypt = decrypt } }
    }

    /// The consent until `Analytics.setConsent` is called for the first time on this device. Default: `.granted`.
    @discardableResult public func consent(_ initial: ConsentState) -> Self { with { $0.consent = initial } }

    /// The purposes of destinations, by the destinations' keys. A destination gets events only when the user allows all
    /// of its categories. They win over the categories in the settings. Default: those of the settings.
    @discardableResult public func consentCategories(_ categories: [String: [String]]) -> Self {
        with { $0.destinationCategories = categories }
    }

    /// The lifecycle events that the client tracks. Default: all, on systems that report them. On Linux there are none
    /// unless `LinuxLifecycle` is added.
    @discardableResult public func setTrackedApplicationLifecycleEvents(_ events: TrackedLifecycleEvent) -> Self {
        with { $0.trackedLifecycleEvents = events }
    }

    /// Whether the client tracks lifecycle events: all of them or none.
    @discardableResult public func trackApplicationLifecycleEvents(_ value: Bool) -> Self {
        setTrackedApplicationLifecycleEvents(value ? .all : .none)
    }

    /// The rule for infinities and NaN. Default: they become 0. With every rule a diagnostic names their places.
    @discardableResult public func jsonNonConformingNumberStrategy(_ rule: NonFiniteNumbers) -> Self {
        with { $0.nonFiniteNumbers = rule }
    }

    /// Makes anonymous ids. Default: random UUIDs. A blank id is reported, and a random UUID takes its place.
    @discardableResult public func anonymousIdGenerator(_ generator: @escaping @Sendable () -> String) -> Self {
        with { $0.anonymousIdGenerator = generator }
    }

    /// Called with each failure, on a background thread. Not called for anything that works as intended. Default: none.
    /// The log gets failures too, at most ten of a kind in a minute.
    @discardableResult public func errorHandler(_ handler: (@Sendable (any Error) -> Void)?) -> Self {
        with { $0.errorHandler = handler }
    }

    /// Whether the client reports to the workspace what each stage did to each event, for the live page. Default:
    /// false.
    ///
    /// For development and tests. It costs a comparison for each plugin and event, and bandwidth.
    @discardableResult public func inspector(_ value: Bool) -> Self { with { $0.inspector = value } }

    /// Whether the client reports to its server how live plugins, destinations and delivery work on this device, when
    /// the server's settings request it. Default: true.
    ///
    /// A report has counts, times, names of plugins, destinations and events, the first error of each script, and the version
    /// of the app with what it allows to scripts, at most 2 KB. It has no content of events, and no id except the `instanceId` that events carry. The client reports
    /// nothing before the user's consent.
    @discardableResult public func healthReports(_ value: Bool) -> Self { with { $0.healthReports = value } }

    /// Whether the server can have the events of this user traced, for an hour at most. Default: true.
    ///
    /// A trace says what each stage did to an event: names of plugins and of the properties that they changed, and error
    /// messages without the content of the event. It has no values of properties. The server asks for traces in its
    /// answer to a batch with events of that user. The client sends at most 100 traces and 64 KB in a minute, under the
    /// conditions for uploads, and never before the user's consent.
    @discardableResult public func remoteTracing(_ value: Bool) -> Self { with { $0.remoteTracing = value } }

    /// Whether bodies are compressed. When a server refuses a compressed body, it gets plain bodies from then on.
    /// Default: true.
    @discardableResult public func gzip(_ value: Bool) -> Self { with { $0.gzip = value } }

    /// The logger of the client. It gets warnings about failures, and with `debugLogsEnabled` messages for developers.
    /// Without failures it gets nothing. Default: a logger with the label `tributary`.
    @discardableResult public func logger(_ logger: Logger) -> Self { with { $0.logger = logger } }

    /// The transport of requests. Default: `URLSession` on Apple's systems, libcurl on Linux.
    @discardableResult public func transport(_ transport: any Transport) -> Self { with { $0.transport = transport } }

    /// The clock, for tests. Default: the system's.
    @discardableResult public func timeSource(_ time: any TimeSource) -> Self { with { $0.time = time } }

    /// The source of ids and random numbers, for tests. Default: the system's.
    @discardableResult public func identifiers(_ identifiers: Identifiers) -> Self {
        with { $0.identifiers = identifiers }
    }

    /// Called with every diagnostic, also with those from the making of the client.
    @discardableResult package func diagnosticObserver(_ handler: @escaping @Sendable (Diagnostic) -> Void) -> Self {
        with { $0.diagnosticObserver = handler }
    }

    /// The host for events while the settings name none.
    @discardableResult package func fallbackAPIHost(_ value: String) -> Self { with { $0.fallbackAPIHost = value } }

    /// Seconds that the client waits for a disk that cannot be read; nil waits without limit.
    @discardableResult package func unlockPatience(_ seconds: TimeInterval?) -> Self {
        with { $0.unlockPatience = seconds }
    }

    /// Whether the system sends a copy of the waiting events, up to one batch, when the app goes to the background
    /// while the network fails. Default: false. It has no effect on macOS, on Linux and for clients in memory.
    ///
    /// The system sends the copy as soon as there is a network, even when the user never opens the app again. It starts
    /// no part of the app for that. The client keeps the events and sends them when it runs again, so the server gets
    /// them twice, with the same message ids. When the app is opened, it withdraws a copy that was not sent yet. The system
    /// follows redirects of this request, which the client does not do elsewhere.
    @discardableResult public func uploadsInBackground(_ value: Bool) -> Self {
        with { $0.uploadsInBackground = value }
    }

    /// The sender of these copies in a test.
    @discardableResult package func copySender(_ sender: any CopySender) -> Self {
        with { $0.makeCopySender = { _, _ in sender } }
    }

    /// The program that the client runs in.
    @discardableResult package func program(_ name: String, isExtension: Bool) -> Self {
        with { $0.program = Program(name: name, isExtension: isExtension) }
    }

    /// The file operations: tests replace them to make a disk fail, or to end the process.
    @discardableResult package func files(_ files: any FileSystem) -> Self { with { $0.files = files } }
}
