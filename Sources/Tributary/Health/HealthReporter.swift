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
    }

    private struct State {
        /// This client's number; nil until it matters.
        var chance: Double?
        var settings = HealthSettings()
        var endpoint: Endpoint?
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
    private let conditions: (any UploadConditions)?
    private let permit: @Sendable () -> CollectionPermit
    private let file: KeptFile?

    private let collector = LockBox<Collector?>(nil)
    private let state: QueueBound<State>

    /// - Parameters:
    ///   - conditions: the uploader's own.
    ///   - file: where the counts outlive the process; nil keeps them in memory.
    init(
        options: Options, transport: any Transport, conditions: (any UploadConditions)?, file: KeptFile?,
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
            looked()
        }
    }

    /// A request for state.settings was answered, so the network is awake.
    func look() { queue.async { self.looked() } }

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
            var number = state.number
            state.counted.prepare(at: options.time.milliseconds, state.settings) { totals, kind, seconds in
                number += 1
                return HealthReport(
                    totals, writeKey: options.writeKey, instance: options.instance, number: number, kind: kind,
                    seconds: seconds)
            }
            state.number = number
            save()
            send()
        }
    }

    /// Adds the counts since then, when the client may collect them. On any thread.
    private func collect(_ next: @escaping @Sendable () -> Void) {
        guard let collector = collector.current else { return }
        collector { [self] totals in
            queue.async { [self] in
                guard mayCollect, read() else { return }
                state.counted.add(totals, at: options.time.milliseconds)
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
        earlier.add(state.counted.totals, at: options.time.milliseconds)
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
        guard !state.isSending, let outgoing = state.counted.outgoing, conditions?.obstacle == nil,
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
