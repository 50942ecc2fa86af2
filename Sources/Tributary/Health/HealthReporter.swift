import Dispatch
import Foundation
import TributaryJSON
import TributaryJournal

/// Reports to the app's own server what live plugins, destinations and delivery do on this device.
///
/// It looks when a request for settings was answered, and when a version has its first fault. Reports contain counts and
/// names, never the content of events.
///
/// Unchecked because all mutable state is only touched on `queue`.
final class HealthReporter: @unchecked Sendable {
    /// Hands over the counts since its last call; on any thread.
    typealias Collector = @Sendable (_ done: @escaping @Sendable (HealthTotals) -> Void) -> Void

    struct Options {
        let writeKey: String
        let instance: String
        let time: any TimeSource
        /// Makes a number from 0 to below 1, by which this client is chosen to report or not.
        let chance: @Sendable () -> Double
    }

    private let queue = DispatchQueue(label: "tributary.health", qos: .utility)
    private let options: Options
    private let transport: any Transport
    private let conditions: (any UploadConditions)?
    private let permit: @Sendable () -> CollectionPermit
    private let file: KeptFile?

    private let collector = LockBox<Collector?>(nil)
    /// This client's number; nil until it matters.
    private var chance: Double?
    private var settings = HealthSettings()
    private var endpoint: Endpoint?
    private var state = HealthState()
    /// The state that the file holds; nil until the file was read.
    private var kept: HealthState?
    private var number = 0
    private var isSending = false
    private var isStopped = false

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
    }

    // MARK: From outside

    /// Begins to collect.
    func begin(_ collector: @escaping Collector) { self.collector.withLock { $0 = collector } }

    /// Settings apply.
    func apply(_ settings: Settings, _ endpoint: Endpoint?) {
        queue.async { [self] in
            self.settings = HealthSettings(settings)
            self.endpoint = endpoint
            looked()
        }
    }

    /// A request for settings was answered, so the network is awake.
    func look() { queue.async { self.looked() } }

    /// A version had its first fault.
    func urge() {
        queue.async { [self] in
            state.schedule.isUrgent = true
            looked()
        }
    }

    /// The user refuses: nothing of what was counted is sent.
    func forget() {
        queue.async { [self] in
            state = HealthState()
            kept = state
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
            isStopped = true
            completion()
        }
    }

    // MARK: Looking

    private var mayCollect: Bool { !isStopped && isSampled && permit() == .granted }

    private var isSampled: Bool {
        guard settings.sampleRate > 0, settings.sampleRate < 1 else { return settings.sampleRate > 0 }
        let chance = chance ?? options.chance()
        self.chance = chance
        return chance < settings.sampleRate
    }

    private func looked() {
        guard mayCollect else { return }
        collect { [self] in
            state.prepare(at: options.time.milliseconds, settings) { totals, kind, seconds in
                number += 1
                return HealthReport(
                    totals, writeKey: options.writeKey, instance: options.instance, number: number, kind: kind,
                    seconds: seconds)
            }
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
                state.add(totals, at: options.time.milliseconds)
                next()
            }
        }
    }

    // MARK: The file

    /// - Returns: false while the disk cannot be read. Nothing is sent then, because the earlier reports are unknown.
    private func read() -> Bool {
        guard kept == nil, let file else { return true }
        let bytes: [UInt8]
        do {
            bytes = try file.read(Limits.healthFileBytes) ?? []
        } catch  where error.reason == .tooLarge {
            bytes = []
        } catch {
            return false
        }
        var earlier = HealthState(file: bytes)
        kept = earlier
        earlier.add(state.totals, at: options.time.milliseconds)
        earlier.schedule.isUrgent = earlier.schedule.isUrgent || state.schedule.isUrgent
        state = earlier
        return true
    }

    /// Counts that cannot be kept are lost with the process, and nothing else is.
    private func save() {
        guard let file, kept != state else { return }
        do {
            try file.replace(with: state.json.encoded())
            kept = state
        } catch {}
    }

    // MARK: Sending

    private func send() {
        guard !isSending, let outgoing = state.outgoing, conditions?.obstacle == nil,
            let url = endpoint?.url("health-reports")
        else { return }
        isSending = true
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
        isSending = false
        guard !isStopped, case .success(let response) = result else { return }
        switch response.status {
        case 408, 429, 500...: return
        case 404, 405, 410: state.schedule.refusedAt = options.time.milliseconds
        default: break
        }
        state.outgoing = nil
        save()
    }
}
