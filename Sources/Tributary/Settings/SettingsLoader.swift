import Dispatch
import Foundation
import TributaryJSON

/// Fetches the settings at intervals, and keeps the last valid ones on disk.
final class SettingsLoader: Sendable {
    private struct State {
        var etag: String?
        /// The settings on disk before the first answer.
        var cached: SettingsCache.Stored?
        /// The newest valid document, which the tag belongs to.
        var newest: Settings?
        /// Seconds between two fetches now.
        var interval: TimeInterval
        var next: (any ScheduledWork)?
        /// Whether settings apply. Then nothing waits for the end of `timeout` any more.
        var isDecided = false { didSet { deadline?.cancel() } }
        var deadline: (any ScheduledWork)?
        var isFetching = false
        /// How often the client has asked in vain while it needs settings to begin.
        var vainRequests = 0
        var retry: (any ScheduledWork)?
        var isStopped = false
        var waiters: [@Sendable () -> Void] = []
    }

    private let queue = DispatchQueue(label: "tributary.settings", qos: .utility)
    private let url: URL?
    private let cache: SettingsCache?
    private let transport: any Transport
    private let time: any TimeSource
    /// Seconds between two fetches as the app wants it.
    private let ownInterval: TimeInterval
    private let timeout: TimeInterval
    /// Whether the default settings never apply.
    private let isRequired: Bool
    private let defaults: Settings
    private let report: @Sendable (Diagnostic) -> Void
    private let apply: @Sendable (Settings, SettingsOrigin) -> Void
    private let onAnswer: @Sendable () -> Void

    private let state: QueueBound<State>

    /// - Parameters:
    ///   - url: the address of the settings; nil when the configuration has no valid host.
    ///   - defaults: the settings when no others are known.
    ///   - interval: seconds between two fetches, unless the server asks for a shorter time.
    ///   - timeout: seconds after which the client begins without an answer.
    ///   - isRequired: whether it never begins with the defaults.
    ///   - onAnswer: called when a request has ended, with or without an answer.
    init(
        url: URL?, defaults: Settings, interval: TimeInterval, timeout: TimeInterval, isRequired: Bool = false,
        time: any TimeSource,
        cache: SettingsCache?, transport: any Transport, report: @escaping @Sendable (Diagnostic) -> Void,
        onAnswer: @escaping @Sendable () -> Void = {}, apply: @escaping @Sendable (Settings, SettingsOrigin) -> Void
    ) {
        self.url = url
        self.cache = cache
        self.transport = transport
        self.time = time
        ownInterval = interval
        state = QueueBound(State(interval: interval), to: queue)
        self.timeout = timeout
        self.isRequired = isRequired
        self.defaults = defaults
        self.report = report
        self.onAnswer = onAnswer
        self.apply = apply
    }

    /// Fetches the settings. When no answer comes in time, the known settings apply.
    func start() {
        queue.async { [self] in
            state.cached = cache?.load()
            state.newest = state.cached?.settings
            state.etag = state.cached?.tag
            state.deadline = time.schedule(after: timeout, on: queue) { [weak self] in
                self?.decideWithoutAnswer("no settings arrived within settingsTimeout")
            }
            fetch()
            scheduleNext()
        }
    }

    /// Ends fetching. Calls back when the settings file will not be touched any more.
    func stop(_ completion: (@Sendable () -> Void)? = nil) {
        queue.async {
            self.state.isStopped = true
            self.state.next?.cancel()
            self.state.deadline?.cancel()
            self.state.retry?.cancel()
            completion?()
        }
    }

    /// Fetches the settings now. Calls back when the answer was applied, or when there was none.
    func refresh(_ completion: (@Sendable () -> Void)? = nil) {
        queue.async { [self] in
            if let completion { state.waiters.append(completion) }
            fetch()
        }
    }

    private func scheduleNext() {
        state.next?.cancel()
        guard state.interval > 0 else { return }
        state.next = time.schedule(after: state.interval, on: queue) { [weak self] in
            guard let self, !state.isStopped else { return }
            fetch()
            scheduleNext()
        }
    }

    /// Fetches as often as these settings ask for; without settings, as often as the app wants it.
    private func follow(_ settings: Settings?) {
        let wanted = SettingsPace.interval(
            own: ownInterval, asked: settings?.document["settingsInterval"]?.doubleValue)
        guard wanted != state.interval else { return }
        state.interval = wanted
        scheduleNext()
    }

    private func fetch() {
        guard !state.isFetching, !state.isStopped else { return }
        guard let url else {
            report(Diagnostic(.configuration, "the settings host is not an address"))
            return finish { decideWithoutAnswer("there is no settings host") }
        }
        state.isFetching = true
        var headers = ["Accept": "application/json", "User-Agent": "tributary/\(LibraryVersion.current)"]
        if let etag = state.etag { headers["If-None-Match"] = etag }
        transport.send(TransportRequest(method: "GET", url: url, headers: headers)) { [self] result in
            queue.async { self.finish { self.received(result) } }
        }
    }

    private func finish(_ work: () -> Void) {
        state.isFetching = false
        if !state.isStopped {
            work()
            onAnswer()
        }
        let done = state.waiters
        state.waiters = []
        for waiter in done { waiter() }
    }

    private func received(_ result: Result<TransportResponse, TransportError>) {
        switch result {
        case .success(let response) where response.status == 304: keep()
        case .success(let response) where (200..<300).contains(response.status): install(response)
        case .success(let response):
            fail("the settings host answered \(response.status)", .of(response.status, at: url))
        case .failure(let error): fail("the settings host gave no answer: \(error)", .networkUnknown(url, error))
        }
    }

    /// The server says that the known settings are still right: those of this process, or those on disk.
    private func keep() {
        follow(state.newest)
        guard !state.isDecided else { return }
        guard let cached = state.cached else {
            return fail("the settings host answered that nothing has changed, but the client has no settings")
        }
        state.isDecided = true
        apply(cached.settings, .cached)
    }

    /// Applies new settings. A document with an error is refused as a whole, and the last valid settings stay.
    private func install(_ response: TransportResponse) {
        do {
            let (json, fault) = try Settings.document(response.body)
            guard let object = json.objectValue, object["integrations"]?.objectValue != nil else {
                return fail("the answer of the settings host is not a settings document", .networkInvalidData)
            }
            if let fault {
                report(Diagnostic(.settings, "the settings are not valid JSON but could be read: \(fault)"))
            }
            let settings = Settings(document: object)
            state.etag = response.headers["etag"]
            state.newest = settings
            state.isDecided = true
            follow(settings)
            apply(settings, .workspace)
            cache?.store(fault == nil ? response.body : [UInt8](json.description.utf8), tag: state.etag)
        } catch {
            fail("the settings are not JSON: \(error)", .jsonUnableToDeserialize(error))
        }
    }

    private func fail(_ reason: String, _ cause: AnalyticsError? = nil) {
        // A server in trouble is not asked more often than the app wants it.
        follow(nil)
        report(Diagnostic(.settings, reason).caused(by: cause.map(AnalyticsError.settingsFail)))
        decideWithoutAnswer(reason)
    }

    private func decideWithoutAnswer(_ reason: String) {
        guard !state.isDecided, !state.isStopped else { return }
        let cached = state.cached
        guard cached != nil || !isRequired else { return waitForSettings(reason) }
        state.isDecided = true
        report(Diagnostic(.settings, "\(reason): the \(cached == nil ? "default" : "cached") settings apply"))
        apply(cached?.settings ?? defaults, cached == nil ? .defaults : .cached)
    }

    /// Asks again soon: without settings, nothing leaves the device.
    private func waitForSettings(_ reason: String) {
        report(Diagnostic(.settings, "\(reason): events wait, because the app requires settings of the workspace"))
        state.retry?.cancel()
        state.retry = time.schedule(after: SettingsPace.retries.pause(after: state.vainRequests), on: queue) {
            [weak self] in
            guard let self, !state.isDecided else { return }
            fetch()
        }
        state.vainRequests += 1
    }
}
