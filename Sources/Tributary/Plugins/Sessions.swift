public import Foundation
import TributaryJSON

/// Puts each event into a session: a period of use without a pause longer than `timeout`.
///
/// Each event gets `context.session` with the session's `id`, its `index` (1 for the first session of this
/// installation) and `startedAt`; the first event of a session also gets `isFirst: true`. The times at which events
/// were tracked decide, so events that are processed late belong to the sessions in which they were tracked. A session
/// survives the end of the process: a start within the timeout continues it. An event that already has a session keeps
/// it. An event of another library gets no session.
///
/// An event to which the app gave another time than that of the call, and a recorded event, belong to the session in
/// which they were tracked. They neither begin a session nor prolong it, because they do not say that the app is used.
///
/// When the user refuses consent, the session and the number of sessions are deleted. After a later consent, counting
/// starts again.
///
/// ``start()`` and ``end()`` may be called from any thread; they apply to events that are processed afterwards.
///
/// ```swift
/// let sessions = Sessions(timeout: 600)
/// analytics.add(plugin: sessions)
/// print(sessions.current?.index ?? 0)
/// ```
// Unchecked because mutable state is behind a lock, and `analytics` is only set while the plugin is added.
public final class Sessions: TimedPlugin, UserForgetting, @unchecked Sendable {
    public let type = PluginType.enrichment
    public let name = "Sessions"
    public weak var analytics: Analytics?

    private let timeout: TimeInterval
    private let isManual: Bool
    private let state = LockBox(State())

    private struct State {
        var session: AnalyticsSession?
        /// The index of the last session.
        var lastIndex = 0
        var isFirst = false
        /// Whether the next event begins a session whatever its time.
        var isRequested = false
        var file: SessionFile?

        /// Whether an event that is tracked now is after the end of the session.
        func isOver(_ now: Int64, _ timeout: TimeInterval, _ isManual: Bool) -> Bool {
            guard let session else { return true }
            return !isManual && Double((now - session.lastEventAt).magnitude) / 1000 > timeout
        }
    }

    /// Whether an event has the time of its call. A timestamp of its own form may differ by some milliseconds.
    private static func isOfNow(_ timestamp: String?, _ now: Int64) -> Bool {
        guard let time = timestamp.flatMap(ISO8601.milliseconds) else { return true }
        return (time &- now).magnitude < 1000
    }

    /// - Parameters:
    ///   - timeout: seconds without an event after which the next event begins a session. Default: 30 minutes.
    ///   - manual: whether only ``start()`` and ``end()`` begin and end sessions. Events outside of a session then have
    ///     none, and the timeout has no effect. Default: false.
    public init(timeout: TimeInterval = 1800, manual: Bool = false) {
        self.timeout = timeout
        isManual = manual
    }

    public func configure(analytics: Analytics) {
        self.analytics = analytics
        guard let kept = analytics.keptFile(StorageLocation.sessionName) else { return }
        let file = SessionFile(file: kept)
        // The file is read before the first event is processed.
        analytics.whenReadable { [weak self] analytics in self?.load(file, analytics) }
    }

    private func load(_ file: SessionFile, _ analytics: Analytics) {
        do {
            let stored = try file.load()
            state.withLock { state in
                state.file = file
                state.session = stored?.isOver == false ? stored?.session : nil
                state.lastIndex = stored?.session.index ?? 0
            }
        } catch {
            state.withLock { $0.file = file }
            analytics.report(Diagnostic(.storage, "the session file cannot be read: \(error)"))
        }
    }

    /// The session of the latest event; nil between sessions.
    public var current: AnalyticsSession? { state.withLock { $0.session } }

    /// Begins a session with the next event.
    public func start() { state.withLock { $0.isRequested = true } }

    /// Ends the session. The next event begins another one; with manual sessions it has none.
    public func end() {
        store(
            state.withLock { state in
                defer { state.session = nil }
                state.isRequested = false
                return state.session.map { (state.file, SessionFile.Stored(session: $0, isOver: true)) }
            })
    }

    public func execute<Event: RawEvent>(event: Event?) -> Event? {
        event.flatMap {
            let time = $0.timestamp.flatMap(ISO8601.milliseconds) ?? analytics?.time.milliseconds ?? 0
            return execute(event: $0, trackedAt: time)
        }
    }

    func execute<Event: RawEvent>(event: Event, trackedAt now: Int64) -> Event? {
        var event = event
        guard event.json["context"]?["session"] == nil, Self.isOwn(event.json) else { return event }
        let isOfNow = Self.isOfNow(event.timestamp, now)
        let newId = analytics?.values.identifiers.next ?? { Identifiers.uuid() }
        let (session, isFirst, changed) = state.withLock {
            state -> (AnalyticsSession?, Bool, (SessionFile?, SessionFile.Stored)?) in
            guard isOfNow else { return (state.isOver(now, timeout, isManual) ? nil : state.session, false, nil) }
            let isFirst = begin(&state, now, newId)
            guard var session = state.session else { return (nil, false, nil) }
            let isStale = isFirst || now - session.lastEventAt >= Self.storeInterval
            session.lastEventAt = now
            state.session = session
            return (session, isFirst, isStale ? (state.file, .init(session: session, isOver: false)) : nil)
        }
        store(changed)
        guard let session else { return event }
        var context = event.json["context"]?.objectValue ?? [:]
        context["session"] = session.json(isFirst: isFirst)
        event.json["context"] = .object(context)
        return event
    }

    /// The part of a session in milliseconds that a crash may lose. The file is not written for each event.
    private static let storeInterval: Int64 = 10_000

    private static func isOwn(_ event: JSONObject) -> Bool {
        event["context"]?["library"]?["name"]?.stringValue.map { $0 == "tributary" } ?? true
    }

    /// Begins a session if one is due. That is also the case when the clock was set back by more than the timeout,
    /// because the length of the pause is then unknown.
    /// - Returns: whether the event at that time is the first of a session.
    private func begin(_ state: inout State, _ now: Int64, _ newId: () -> String) -> Bool {
        guard state.isRequested || (!isManual && state.isOver(now, timeout, isManual)) else { return false }
        state.isRequested = false
        state.lastIndex += 1
        state.session = AnalyticsSession(id: newId(), index: state.lastIndex, startedAt: now, lastEventAt: now)
        return true
    }

    /// Deletes the session. Events from before the refusal already have theirs.
    package func forgetUser() {
        state.withLock { state in
            state.session = nil
            state.lastIndex = 0
            state.isRequested = false
        }
    }

    private func store(_ change: (file: SessionFile?, stored: SessionFile.Stored)?) {
        guard let change, let file = change.file, analytics?.consent != .denied else { return }
        do {
            try file.store(change.stored)
        } catch {
            analytics?.report(
                Diagnostic(.storage, "the session cannot be stored on disk: \(error)"))
        }
    }
}
