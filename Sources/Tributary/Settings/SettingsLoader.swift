import Dispatch
import Foundation
import TributaryJSON

/// Fetches the settings at intervals, and keeps the last valid ones on disk. Where the app wants it, one request is held by the
/// server until they change.
final class SettingsLoader: Sendable {
    /// A class, because the compiler would otherwise make 10 KB of code that copies it.
    private final class State {
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
        var hold = SettingsHold()
        /// Whether a request is held now. Nothing can end it: it ends by itself, at the latest with its deadline.
        var isHolding = false
        var nextHold: (any ScheduledWork)?
        var isInForeground: Bool
        /// When the last answer was passed on, by the clock that is never set.
        var answeredAt: TimeInterval = 0
        var waiters: [@Sendable () -> Void] = []

        init(interval: TimeInterval, isInForeground: Bool) {
            self.interval = interval
            self.isInForeground = isInForeground
        }
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
    private let onAnswer: @Sendable (_ isHeld: Bool) -> Void
    private let push: Push?

    private let state: QueueBound<State>

    /// - Parameters:
    ///   - url: the address of the settings; nil when the configuration has no valid host.
    ///   - defaults: the settings when no others are known.
    ///   - interval: seconds between two fetches, unless the server asks for a shorter time.
    ///   - timeout: seconds after which the client begins without an answer.
    ///   - isRequired: whether it never begins with the defaults.
    ///   - push: makes the client hold requests; nil for never.
    ///   - onAnswer: called when a request has ended, with or without an answer. While requests are held and nothing changes, it
    ///     is called with the last answer of each interval. It gets whether requests are held.
    init(
        url: URL?, defaults: Settings, interval: TimeInterval, timeout: TimeInterval, isRequired: Bool = false,
        time: any TimeSource,
        cache: SettingsCache?, transport: any Transport, report: @escaping @Sendable (Diagnostic) -> Void,
        push: Push? = nil, onAnswer: @escaping @Sendable (_ isHeld: Bool) -> Void = { _ in },
        apply: @escaping @Sendable (Settings, SettingsOrigin) -> Void
    ) {
        self.url = url
        self.cache = cache
        self.transport = transport
        self.time = time
        ownInterval = interval
        self.push = push
        state = QueueBound(State(interval: interval, isInForeground: push?.isInForeground ?? false), to: queue)
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
            self.state.nextHold?.cancel()
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

    /// The user begins or ceases to see the app.
    func note(isInForeground: Bool) {
        guard push != nil else { return }
        queue.async { [self] in
            state.isInForeground = isInForeground
            // An answer that comes first makes the pause.
            if isInForeground, state.nextHold == nil { hold() }
        }
    }

    /// Runs work behind what the loader has to do so far.
    func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    private func scheduleNext() {
        state.next?.cancel()
        guard state.interval > 0, !state.isHolding else { return }
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
        transport.send(request(url)) { [self] result in
            queue.async { self.finish { self.received(result) } }
        }
    }

    private func request(_ url: URL) -> TransportRequest {
        var headers = ["Accept": "application/json", "User-Agent": "tributary/\(LibraryVersion.current)"]
        if let etag = state.etag { headers["If-None-Match"] = etag }
        return TransportRequest(method: "GET", url: url, headers: headers)
    }

    private func finish(_ work: () -> Void) {
        state.isFetching = false
        if !state.isStopped {
            work()
            passOn()
            if state.nextHold == nil { hold() }
        }
        let done = state.waiters
        state.waiters = []
        for waiter in done { waiter() }
    }

    private func passOn() {
        state.answeredAt = time.uptime
        onAnswer(state.hold.isWorking)
    }

    /// Asks for settings in a way that the server answers when they change. Without a tag it could not tell.
    private func hold() {
        guard let push, state.isInForeground, !state.isHolding, !state.isStopped, state.isDecided, push.isAllowed(),
            let tag = state.etag, let seconds = SettingsHold.seconds(of: state.newest),
            // A cache that joins requests of one address must not let others wait for this one.
            let url = url.flatMap({ URL(string: "\($0.absoluteString)?wait=\(Int(seconds))") })
        else { return }
        state.isHolding = true
        state.next?.cancel()
        let begun = time.uptime
        var asking = request(url)
        asking.deadline += seconds
        transport.send(asking) { [weak self] result in
            guard let self else { return }
            queue.async { self.held(result, tag, seconds, since: begun) }
        }
    }

    private func held(
        _ result: Result<TransportResponse, TransportError>, _ tag: String, _ seconds: TimeInterval,
        since begun: TimeInterval
    ) {
        state.isHolding = false
        guard !state.isStopped, let push else { return }
        let ending: SettingsHold.Ending =
            switch (try? result.get())?.status {
            case 304: .unchanged
            case .some(200..<300): .changed
            default: .failed
            }
        let now = time.uptime
        let pause = state.hold.pause(after: ending, in: now - begun, of: seconds, chance: push.chance())
        // Other parts look around at each answer that is passed on, while the device is awake, and else by a timer at the interval.
        // The next answer would come after that timer.
        let next = now + seconds - state.answeredAt
        if ending == .changed || next > max(state.interval, SettingsPace.shortest) { passOn() }
        // Settings that came meanwhile are newer than this answer. A system ends requests of an app in the background.
        if state.etag == tag, ending != .failed || state.isInForeground { received(result) }
        scheduleNext()
        guard pause > 0 else { return hold() }
        state.nextHold = time.schedule(after: pause, on: queue) { [weak self] in
            self?.state.nextHold = nil
            self?.hold()
        }
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

extension SettingsLoader {
    /// The conditions for a held request.
    struct Push: Sendable {
        /// Whether the user sees the app when the client begins.
        let isInForeground: Bool
        /// Whether the user's consent and the app's conditions allow it now; on any thread.
        let isAllowed: @Sendable () -> Bool
        /// Makes a number from 0 to below 1.
        let chance: @Sendable () -> Double
    }
}
