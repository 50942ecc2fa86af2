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
/// The client takes a copy when it is made; later changes have no effect on it.
public final class Configuration {
    /// The configured values, with defaults for all others.
    public struct Values: Sendable {
        /// The key of the source.
        public internal(set) var writeKey: String
        /// Nil unless the app named one: it then wins over the one in the settings.
        public internal(set) var apiHost: String?
        /// Where events go while neither app nor settings name a host.
        var fallbackAPIHost: String?
        /// Where settings come from.
        public internal(set) var cdnHost = "cdn-settings.segment.com/v1"
        /// How many events start a delivery.
        public internal(set) var flushAt = 20
        /// Seconds after an event in which it is delivered in any case.
        public internal(set) var flushInterval: TimeInterval = 30
        var flushPolicies: [HandedFlushPolicy]?
        /// How delivery meets failures, as long as the settings say nothing of it.
        public internal(set) var httpConfig = HttpConfig.standard
        /// Settings that apply while none were ever received.
        public internal(set) var defaultSettings = Settings()
        /// Seconds to wait for the first settings.
        public internal(set) var settingsTimeout: TimeInterval = 10
        /// Seconds between looks for new settings.
        public internal(set) var settingsInterval: TimeInterval = 300
        /// Seconds that a waiting plugin can hold up the start of processing.
        public internal(set) var waitingTimeout: TimeInterval = 30
        /// Seconds that one call of a device-mode destination may take.
        public internal(set) var destinationTimeout: TimeInterval = Limits.destinationTimeout
        /// Whether events go to the server that `apiHost` names.
        public internal(set) var autoAddSegmentDestination = true
        /// Where events wait.
        public internal(set) var storageMode = StorageMode.disk
        /// What the client is a part of.
        var program = Program.current
        /// Whether the system gets a copy of what waits when the app goes to the background without a network.
        public internal(set) var uploadsInBackground = false
        /// Makes the sender of that copy; the system's unless a test has another.
        var makeCopySender: (@Sendable (_ name: String, _ folder: URL) -> any CopySender)?
        /// How much of what waits is kept.
        public internal(set) var storageLimits = JournalBounds()
        /// What an event survives once its call has returned.
        public internal(set) var durability = Durability.process
        /// On whose time events go through plugins and destinations.
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
        /// Whether requests are compressed.
        public internal(set) var gzip = true
        var logger = Logger(label: "tributary")
        var transport: (any Transport)?
        var requestFactory: RequestFactory?
        /// Nil unless the app said something; it may have said that there are none.
        var conditions: (any UploadConditions)??
        /// The user agent that each event gets; nil for none.
        public internal(set) var userAgent: String?
        var time: any TimeSource = SystemTimeSource()
        var identifiers = Identifiers()
        /// The migration of other libraries' data.
        public internal(set) var migration = Migration.automatic
        /// The consent until the user decides.
        public internal(set) var consent = ConsentState.granted
        /// The categories of each destination.
        public internal(set) var destinationCategories: [String: [String]] = [:]
        /// Which events of the app's life are tracked.
        public internal(set) var trackedLifecycleEvents = TrackedLifecycleEvent.all
        var files: any FileSystem = PosixFileSystem()
        /// Seconds that a client waits for a disk that refuses to be read, before it begins in memory; nil for as long as it
        /// takes. Devices that are locked are unlocked at some time; elsewhere a refusal is most likely there to stay.
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

    /// A configuration with the defaults that stand at each option.
    public init(writeKey: String) { values = Values(writeKey: writeKey) }

    func with(_ change: (inout Values) -> Void) -> Self {
        change(&values)
        return self
    }

    /// Host and path that events go to; `https` unless a scheme is given. It wins over the one in the settings.
    ///
    /// Default: the one in the settings, else `api.segment.io/v1`.
    @discardableResult public func apiHost(_ value: String) -> Self { with { $0.apiHost = value } }

    /// Host and path that settings come from; `https` unless a scheme is given. Default: `cdn-settings.segment.com/v1`.
    @discardableResult public func cdnHost(_ value: String) -> Self { with { $0.cdnHost = value } }

    /// How many events start a delivery. Default: 20.
    @discardableResult public func flushAt(_ count: Int) -> Self { with { $0.flushAt = max(1, count) } }

    /// Seconds after an event in which it is delivered in any case; 0 or less never. Default: 30.
    @discardableResult public func flushInterval(_ seconds: TimeInterval) -> Self {
        with { $0.flushInterval = seconds }
    }

    /// When events are delivered, instead of by `flushAt` and `flushInterval`. Each policy belongs to one client.
    @discardableResult public func flushPolicies(_ policies: [any FlushPolicy]) -> Self {
        with { $0.flushPolicies = policies.map(HandedFlushPolicy.init) }
    }

    /// How delivery meets failures, as long as the settings say nothing of it. Default: the library's own way, see
    /// `HttpConfig`; nil is the default again.
    @discardableResult public func httpConfig(_ config: HttpConfig?) -> Self {
        with { $0.httpConfig = config ?? .standard }
    }

    /// Settings that apply while none were ever received. Default: the cloud destination and nothing else.
    @discardableResult public func defaultSettings(_ settings: Settings?) -> Self {
        with { $0.defaultSettings = settings ?? Settings() }
    }

    /// Seconds to wait for the first settings before the cached, else the default ones apply. Default: 10.
    @discardableResult public func settingsTimeout(_ seconds: TimeInterval) -> Self {
        with { $0.settingsTimeout = seconds }
    }

    /// Seconds between looks for new settings; 0 looks once. Default: 300.
    @discardableResult public func settingsInterval(_ seconds: TimeInterval) -> Self {
        with { $0.settingsInterval = seconds }
    }

    /// Seconds that a waiting plugin can hold up the start of processing. Default: 30.
    @discardableResult public func waitingTimeout(_ seconds: TimeInterval) -> Self {
        with { $0.waitingTimeout = seconds }
    }

    /// Seconds that one call of a device-mode destination may take before nothing waits for it any more. Default: 5.
    ///
    /// Until then its events stay on disk, and `after` plugins wait; it holds up neither other destinations nor the server.
    @discardableResult public func destinationTimeout(_ seconds: TimeInterval) -> Self {
        with { $0.destinationTimeout = seconds > 0 ? seconds : Limits.destinationTimeout }
    }

    /// Whether events go to the server that `apiHost` names. Default: true.
    @discardableResult public func autoAddSegmentDestination(_ value: Bool) -> Self {
        with { $0.autoAddSegmentDestination = value }
    }

    /// Where events wait. Default: on disk.
    @discardableResult public func storageMode(_ mode: StorageMode) -> Self { with { $0.storageMode = mode } }

    /// How much waits on disk at the most, over all clients of this write key together. The oldest events go first, are
    /// counted in `Analytics.counters` and reported. What is on its way to the server is never dropped.
    /// - Parameters:
    ///   - bytes: default 50,000,000.
    ///   - events: default 1,000,000.
    ///   - age: seconds since an event was stored, whatever its own timestamp says; default 30 days.
    @discardableResult public func storageLimits(
        bytes: Int = 50_000_000, events: Int = 1_000_000, age: TimeInterval = 30 * 86_400
    ) -> Self {
        let seconds = age.isFinite ? min(max(age, 1), 1e12) : 1e12
        return with { $0.storageLimits = JournalBounds(bytes: bytes, records: events, age: Int(clamping: seconds)) }
    }

    /// What an event survives once its call has returned. Default: the end of the process.
    @discardableResult public func durability(_ durability: Durability) -> Self { with { $0.durability = durability } }

    /// On whose time events go through plugins and destinations. Default: on the client's own.
    @discardableResult public func operatingMode(_ mode: OperatingMode) -> Self { with { $0.operatingMode = mode } }

    /// Seconds that `Analytics.flush()` waits at the most for delivery in `OperatingMode.synchronous`; 0 or less does not wait.
    /// Without effect in the other mode. Default: 10.
    @discardableResult public func flushTimeout(_ seconds: TimeInterval) -> Self { with { $0.flushTimeout = seconds } }

    /// Encrypts events and identity on disk, with `AESGCMCipher` of `TributaryEncryption` for instance. Default: none.
    ///
    /// With another key than before, or none, what is on disk is left alone and reported, and the client goes on in a
    /// queue of its own as if it were new; with its key it is read and delivered again. What was stored before encryption was
    /// switched on is still read.
    @discardableResult public func storageCipher(_ cipher: any JournalCipher) -> Self {
        with { $0.storageCipher = cipher }
    }

    /// The data that is taken over from another analytics library at the first start. Default: `.automatic`.
    @discardableResult public func migration(_ migration: Migration) -> Self { with { $0.migration = migration } }

    /// Reads what another library encrypted, unless the app said how already.
    @discardableResult
    package func migrationDecrypting(_ decrypt: @escaping @Sendable (Data) -> Data?) -> Self {
        with { if $0.migration.decrypt == nil { $0.migration.decrypt = decrypt } }
    }

    /// The consent as long as `Analytics.setConsent` was never called on this device. Default: `.granted`.
    @discardableResult public func consent(_ initial: ConsentState) -> Self { with { $0.consent = initial } }

    /// The purposes that destinations serve, by their keys: a destination gets events only when the user allows all of
    /// its categories. Wins over what the settings say of a destination. Default: what the settings say.
    @discardableResult public func consentCategories(_ categories: [String: [String]]) -> Self {
        with { $0.destinationCategories = categories }
    }

    /// The lifecycle events that the client tracks. Default: all, where the system reports them; on Linux
    /// none, unless `LinuxLifecycle` is added.
    @discardableResult public func setTrackedApplicationLifecycleEvents(_ events: TrackedLifecycleEvent) -> Self {
        with { $0.trackedLifecycleEvents = events }
    }

    /// Whether the client makes events of what happens to the app: all of them or none.
    @discardableResult public func trackApplicationLifecycleEvents(_ value: Bool) -> Self {
        setTrackedApplicationLifecycleEvents(value ? .all : .none)
    }

    /// The rule for infinities and NaN. Default: 0.
    @discardableResult public func jsonNonConformingNumberStrategy(_ rule: NonFiniteNumbers) -> Self {
        with { $0.nonFiniteNumbers = rule }
    }

    /// Makes anonymous ids. Default: random UUIDs.
    @discardableResult public func anonymousIdGenerator(_ generator: @escaping @Sendable () -> String) -> Self {
        with { $0.anonymousIdGenerator = generator }
    }

    /// Called with each failure, on a background thread, and not for anything that happens as intended. Default: none;
    /// the log gets failures too, each kind at most ten times a minute.
    @discardableResult public func errorHandler(_ handler: (@Sendable (any Error) -> Void)?) -> Self {
        with { $0.errorHandler = handler }
    }

    /// Whether the workspace is told what each stage did to each event, for its live page. Default: false.
    ///
    /// For development and tests: it costs a comparison for each plugin and event, and bandwidth.
    @discardableResult public func inspector(_ value: Bool) -> Self { with { $0.inspector = value } }

    /// Whether the client reports to its server how live plugins, destinations and delivery do on this device, when the
    /// server's settings ask for it. Default: true.
    ///
    /// A report has counts, times, names of plugins, destinations and events, and the first error of each script, at most
    /// 2 KB. It has no content of events, and of the ids only the `instanceId` that events carry. Nothing is reported before
    /// the user's consent.
    @discardableResult public func healthReports(_ value: Bool) -> Self { with { $0.healthReports = value } }

    /// Whether bodies are compressed. A server that refuses is sent plain bodies from then on. Default: true.
    @discardableResult public func gzip(_ value: Bool) -> Self { with { $0.gzip = value } }

    /// Where the client logs: warnings for what goes wrong, and what developers ask for with `debugLogsEnabled`. Silent in
    /// normal work. Default: label `tributary`.
    @discardableResult public func logger(_ logger: Logger) -> Self { with { $0.logger = logger } }

    /// The transport of requests. Default: `URLSession` on Apple's systems, libcurl on Linux.
    @discardableResult public func transport(_ transport: any Transport) -> Self { with { $0.transport = transport } }

    /// Where time comes from, for tests. Default: the system.
    @discardableResult public func timeSource(_ time: any TimeSource) -> Self { with { $0.time = time } }

    /// Where ids and chance come from, for tests. Default: the system.
    @discardableResult public func identifiers(_ identifiers: Identifiers) -> Self {
        with { $0.identifiers = identifiers }
    }

    /// Called with every diagnostic, from the first on that the making of the client brings about.
    @discardableResult package func diagnosticObserver(_ handler: @escaping @Sendable (Diagnostic) -> Void) -> Self {
        with { $0.diagnosticObserver = handler }
    }

    /// Where events go while the settings name no host.
    @discardableResult package func fallbackAPIHost(_ value: String) -> Self { with { $0.fallbackAPIHost = value } }

    /// Seconds that the client waits for a disk that refuses to be read; nil for as long as it takes.
    @discardableResult package func unlockPatience(_ seconds: TimeInterval?) -> Self {
        with { $0.unlockPatience = seconds }
    }

    /// Whether the system sends a copy of what waits, up to one batch, when the app goes to the background and the network
    /// fails just then. Default: false. On macOS, on Linux and for clients in memory it changes nothing.
    ///
    /// The system sends it as soon as there is a network, also when the app is never opened again, and starts nothing of the
    /// app for that. The client keeps the events and sends them itself when it runs again, so the server gets them twice,
    /// with the same message ids. An app that is opened takes back a copy that was not sent yet.
    @discardableResult public func uploadsInBackground(_ value: Bool) -> Self {
        with { $0.uploadsInBackground = value }
    }

    /// The sender of such copies in a test.
    @discardableResult package func copySender(_ sender: any CopySender) -> Self {
        with { $0.makeCopySender = { _, _ in sender } }
    }

    /// What the client is a part of.
    @discardableResult package func program(_ name: String, isExtension: Bool) -> Self {
        with { $0.program = Program(name: name, isExtension: isExtension) }
    }

    /// The file operations: tests replace them to make a disk fail, or to end the process.
    @discardableResult package func files(_ files: any FileSystem) -> Self { with { $0.files = files } }
}
