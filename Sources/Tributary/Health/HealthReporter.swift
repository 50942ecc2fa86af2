import Dispatch
import Foundation
import TributaryJSON
import TributaryJournal

/// Reports to the app's own server what live plugins, destinations and delivery do on this device.
///
/// It looks when a request for settings was answered, and when a version has its first fault. Reports contain counts and
/// names, never the content of events.
final class HealthReporter: Sendable {
    /// Hands over the counts since its last call; on any thread.
    typealias Collector = @Sendable (_ done: @escaping @Sendable (HealthTotals) -> Void) -> Void

    struct Options {
        let writeKey: String
        let instance: String
        let time: any TimeSource
        /// Makes a number from 0 to below 1, by which this client is chosen to report or not.
        let chance: @Sendable () -> Double
        /// The version of the app; nil when it is not known.
        var appVersion: @Sendable () -> String? = { nil }
        /// Seconds between two looks at the settings, as the app chose them.
        var settingsInterval: TimeInterval = 0
    }

    /// A class, because the compiler would otherwise make 4 KB of code that copies it.
    private final class State {
        /// This client's number; nil until it matters.
        var chance: Double?
        var settings = HealthSettings()
        var endpoint: Endpoint?
        /// The actions that the app allows to scripts; nil for all.
        var allows: [String]?
        /// The settings that the client has; nil before the first.
        var heard: HeardSettings?
        /// Whether the server holds requests for settings, so that changes arrive within seconds.
        var isHeld = false
        var counted = HealthState()
        /// The counts that the file holds; nil until the file was read.
        var kept: HealthState?
        var number = 0
        var isSending = false
        var isStopped = false
    }

    private let queue = DispatchQueue(label: "tributary.health", qos: .utility)
    private let options: Options
    private let transport: any Transport
    private let conditions: DeliveryConditions
    private let permit: @Sendable () -> CollectionPermit
    private let file: KeptFile?

    private let collector = LockBox<Collector?>(nil)
    private let state: QueueBound<State>

    /// - Parameters:
    ///   - conditions: the uploader's own.
    ///   - file: where the counts outlive the process; nil keeps them in memory.
    init(
        options: Options, transport: any Transport, conditions: DeliveryConditions, file: KeptFile?,
        permit: @escaping @Sendable () -> CollectionPermit
    ) {
        self.options = options
        self.transport = transport
        self.conditions = conditions
        self.permit = permit
        self.file = file
        state = QueueBound(State(), to: queue)
    }

    // MARK: From outside

    /// Begins to collect.
    func begin(_ collector: @escaping Collector) { self.collector.withLock { $0 = collector } }

    /// Settings apply.
    func apply(_ settings: Settings, _ endpoint: Endpoint?) {
        queue.async { [self] in
            state.settings = HealthSettings(settings)
            state.endpoint = endpoint
            hear(settings)
            looked()
        }
    }

    /// The server waits to hear who knows of a new stop, so a report is due.
    private func hear(_ settings: Settings) {
        let heard = HeardSettings(settings, own: options.settingsInterval)
        if heard.stop > 0, heard.stop != state.heard?.stop {
            state.counted.schedule.isUrgent = true
            state.counted.isAwaited = true
        }
        state.heard = heard
    }

    /// A request for settings was answered, so the network is awake.
    /// - Parameter isHeld: whether the server holds such requests until something changes.
    func look(isHeld: Bool) {
        queue.async {
            self.state.isHeld = isHeld
            self.looked()
        }
    }

    /// The app allows only these actions to scripts; nil for all.
    func note(allows: [String]?) { queue.async { self.state.allows = allows } }

    /// A version had its first fault.
    func urge() {
        queue.async { [self] in
            state.counted.schedule.isUrgent = true
            looked()
        }
    }

    /// The user refuses: nothing of what was counted is sent.
    func forget() {
        queue.async { [self] in
            state.counted = HealthState()
            state.kept = state.counted
            // The next counts replace a file that cannot be deleted now.
            try? file?.remove()
            collector.current? { _ in }
        }
    }

    /// Takes the last counts. Call it before plugins end.
    func collectLast() { collect { [self] in save() } }

    /// Runs work behind what the reporter has to do so far.
    func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Ends reporting; calls back when the file is not touched any more.
    func stop(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            state.isStopped = true
            completion()
        }
    }

    // MARK: Looking

    private var mayCollect: Bool { !state.isStopped && isSampled && permit() == .granted }

    private var isSampled: Bool {
        let rate = state.settings.sampleRate
        guard rate > 0, rate < 1 else { return rate > 0 }
        let chance = state.chance ?? options.chance()
        state.chance = chance
        return chance < rate
    }

    private func looked() {
        guard mayCollect else { return }
        collect { [self] in
            let settings = state.settings
            state.counted = reporting(state.counted) { $0.prepare(at: options.time.milliseconds, settings, $1) }
            save()
            send()
        }
    }

    /// Makes counts into reports. Each has the next number.
    private func reporting(
        _ counted: HealthState,
        _ change: (inout HealthState, (HealthState, HealthSchedule.Kind, Int) -> HealthReport?) -> Void
    ) -> HealthState {
        var (counted, number) = (counted, state.number)
        let allows = state.allows
        var heard = state.heard
        if state.isHeld { heard?.interval = HeardSettings.heldSeconds }
        change(&counted) { counts, kind, seconds in
            number += 1
            let app = HealthApp(
                version: options.appVersion(), allows: allows, counted: counts.app, isMixed: counts.isMixed)
            return HealthReport(
                counts.totals, writeKey: options.writeKey, instance: options.instance, number: number, kind: kind,
                seconds: seconds, app: app, settings: heard)
        }
        state.number = number
        return counted
    }

    /// The version of the app, as counts name it.
    private var appVersion: String { options.appVersion() ?? "" }

    /// Adds the counts since then, when the client may collect them. On any thread.
    private func collect(_ next: @escaping @Sendable () -> Void) {
        guard let collector = collector.current else { return }
        collector { [self] totals in
            queue.async { [self] in
                guard mayCollect, read() else { return }
                state.counted.add(totals, of: appVersion, at: options.time.milliseconds)
                next()
            }
        }
    }

    // MARK: The file

    /// - Returns: false while the disk cannot be read. Nothing is sent then, because the earlier reports are unknown.
    private func read() -> Bool {
        guard state.kept == nil, let file else { return true }
        let bytes: [UInt8]
        do {
            bytes = try file.read(Limits.healthFileBytes) ?? []
        } catch  where error.reason == .tooLarge {
            bytes = []
        } catch {
            return false
        }
        var earlier = HealthState(file: bytes)
        state.kept = earlier
        // Counts of an earlier version of the app are reported on their own.
        earlier = reporting(earlier) { $0.closeEarlier(than: appVersion, at: options.time.milliseconds, $1) }
        earlier.add(state.counted.totals, of: state.counted.app, at: options.time.milliseconds)
        earlier.schedule.isUrgent = earlier.schedule.isUrgent || state.counted.schedule.isUrgent
        state.counted = earlier
        return true
    }

    /// Counts that cannot be state.kept are lost with the process, and nothing else is.
    private func save() {
        guard let file, state.kept != state.counted else { return }
        do {
            try file.replace(with: state.counted.json.encoded())
            state.kept = state.counted
        } catch {}
    }

    // MARK: Sending

    private func send() {
        guard !state.isSending, let outgoing = state.counted.outgoing, conditions.obstacle == nil,
            let url = state.endpoint?.url("health-reports")
        else { return }
        state.isSending = true
        let request = TransportRequest(
            method: "POST", url: url,
            headers: [
                "Content-Type": "application/json; charset=utf-8", "User-Agent": "tributary/\(LibraryVersion.current)",
            ],
            body: [UInt8](outgoing.text.utf8), answerLimit: .beginning(Limits.batchAnswerBytes))
        transport.send(request) { [self] result in
            queue.async { self.answered(result) }
        }
    }

    /// A report is sent again with the next look when there was no answer, or one that asks for it.
    private func answered(_ result: Result<TransportResponse, TransportError>) {
        state.isSending = false
        guard !state.isStopped, case .success(let response) = result else { return }
        switch response.status {
        case 408, 429, 500...: return
        case 404, 405, 410: state.counted.schedule.refusedAt = options.time.milliseconds
        default: break
        }
        state.counted.outgoing = nil
        save()
    }
}
