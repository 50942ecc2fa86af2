import Dispatch
public import Foundation
import TributaryJSON

extension Analytics {
    /// Where batches go: at that host, else at this client's own. The field's own service has another host for signals.
    package func uploadURL(host: String?) -> URL? {
        if let host { return Endpoint(host)?.url("b") }
        let ofSettings = settings()?.integrations?[CloudDestination.key]?["apiHost"]?.stringValue
        guard let own = values.apiHost ?? ofSettings ?? values.fallbackAPIHost,
            Endpoint(own) != Endpoint(Self.fieldsHost)
        else {
            return Endpoint(Self.fieldsSignalHost)?.url("b")
        }
        return Endpoint(own)?.url("b")
    }

    private static let fieldsHost = "api.segment.io/v1"
    private static let fieldsSignalHost = "signals.segment.io/v1"

    /// Sends what was tracked before this call; returns at once.
    ///
    /// The completion is called on a background thread after one attempt to send everything, successful or not. Before
    /// settings are known it waits for them; while delivery is paused, and when the client has ended, it is called soon.
    ///
    /// In `OperatingMode.synchronous` it returns when everything has been sent, trying again after failures, or when
    /// `Configuration.flushTimeout` is over; then a diagnostic says how much waits and why. The completion is called
    /// before it returns, on the caller's thread. Called by a plugin or destination it returns at once as well.
    public func flush(completion: (@Sendable () -> Void)? = nil) {
        guard values.operatingMode == .synchronous, values.flushTimeout > 0, !pipeline.executor.isPluginCalling else {
            return requestFlush(completion: completion)
        }
        flushOnCaller()
        completion?()
    }

    /// The same, but it returns at once in each operating mode: the library itself flushes on threads that must not
    /// wait, such as the main thread when the app goes to the background.
    package func requestFlush(completion: (@Sendable () -> Void)? = nil) {
        startFlush(isPatient: false, begun: { _ in }, completion: { _ in completion?() })
    }

    private func flushOnCaller() {
        let (wait, isOver) = (FlushWait(), DispatchSemaphore(value: 0))
        let outcome = LockBox(FlushResult.sent)
        wait.begin { result in
            outcome.withLock { $0 = result }
            isOver.signal()
        }
        setTimer(values.flushTimeout, for: wait)
        startFlush(isPatient: true, begun: { [uploader] in wait.began($0, at: uploader) }) { wait.end($0) }
        isOver.wait()
        switch outcome.withLock({ $0 }) {
        case .sent: break
        case .partly(let remaining, let reason), .timedOut(let remaining, let reason):
            report(
                Diagnostic(
                    .delivery, "flush() returns while \(remaining) events wait: \(reason)", count: remaining))
        }
    }

    /// Sends what was tracked before this call, trying again after failures until it is done or the time is over.
    ///
    /// - Parameter timeout: seconds to wait at most; with 0 it requests delivery and returns the waiting events.
    /// - Returns: whether all events were sent, and if not, how many wait and why. When the task is cancelled it
    ///   returns that at once; events stay where they are, and delivery goes on.
    public func flush(timeout: TimeInterval) async -> FlushResult {
        let wait = FlushWait()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wait.begin { continuation.resume(returning: $0) }
                // The time counts from the call, so before anything of the flush is under way.
                let hasTime = timeout > 0
                if hasTime { setTimer(timeout, for: wait) }
                startFlush(isPatient: true, begun: { [uploader] in wait.began($0, at: uploader) }) { wait.end($0) }
                if !hasTime { expire(wait) }
            }
        } onCancel: { [weak self] in
            wait.end(.partly(remaining: self?.remaining ?? 0, reason: "the task that waited was cancelled"))
        }
    }

    /// Whether tracked events have not reached the server yet. Looks only.
    public var hasUnsentEvents: Bool { remaining > 0 }

    /// The files in which events wait that have not reached the server; nil when no event waits on disk.
    ///
    /// They are there to be looked at: they have the journal's format, not the protocol's, change at any time, and are
    /// deleted by the client when their events have arrived. Looks only.
    public var pendingUploads: [URL]? {
        guard let storageFolder, hasUnsentEvents else { return nil }
        let found = FileManager.default.enumerator(at: storageFolder, includingPropertiesForKeys: nil)
        let files = (found?.compactMap { $0 as? URL } ?? []).filter { file in
            let log = file.deletingLastPathComponent().lastPathComponent
            let isSegment = file.pathExtension == "tjl" && !file.lastPathComponent.hasPrefix("spare-")
            return ["inbox", "outbox"].contains(log) && isSegment
        }
        return files.isEmpty ? nil : files
    }

    /// The present state of delivery, and its reason.
    public var deliveryState: DeliveryState {
        var state = uploader.state
        if let obstacle = pipeline.start.blocker ?? (state.activity == .idle ? pipeline.backlog : nil) {
            state.obstacle = obstacle
        }
        if held.isWaiting { state.obstacle = UploadObstacle(.storage, Self.diskCannotBeRead) }
        state.waiting = remaining
        return state
    }

    /// The oldest of the events that the server refused for good; they are kept on the device, the newest of them. When
    /// they cannot be read, a diagnostic says why, and there are none.
    /// - Parameter limit: how many are wanted at the most.
    public func deadLetters(limit: Int = 100) -> [DeadLetter] {
        do {
            return try deadLetters.read(maxCount: max(0, limit)).compactMap { DeadLetter(record: $0) }
        } catch {
            report(Diagnostic(.storage, "the events that were put aside cannot be read: \(error)"))
            return []
        }
    }

    /// Forgets the events that the server refused for good.
    public func removeDeadLetters() {
        do {
            try deadLetters.removeAll()
        } catch {
            report(Diagnostic(.storage, "the events that were put aside cannot be removed: \(error)"))
        }
    }

    private static let diskCannotBeRead = "the disk cannot be read yet"

    private var remaining: Int {
        held.events + ([eventQueue] + adoption.queues).reduce(0) { $0 + $1.unprocessed + $1.unsent }
    }

    /// - Parameter begun: gets the number of the wait, once the uploader knows of it.
    private func startFlush(
        isPatient: Bool, begun: @escaping @Sendable (Int) -> Void, completion: @escaping @Sendable (FlushResult) -> Void
    ) {
        if held.isWaiting {
            // An impatient caller gets the answer now; a patient caller waits for the disk, too.
            guard isPatient else {
                let result = FlushResult.partly(remaining: remaining, reason: Self.diskCannotBeRead)
                return DispatchQueue.global().async { completion(result) }
            }
            let flush: HeldCalls.Work = { $0.flushNow(isPatient: true, begun: begun, completion: completion) }
            let ended: @Sendable () -> Void = {
                completion(.partly(remaining: 0, reason: "the client ended before the disk could be read"))
            }
            if held.hold(.init(other: flush, ended: ended)) { return }
        }
        flushNow(isPatient: isPatient, begun: begun, completion: completion)
    }

    private func flushNow(
        isPatient: Bool, begun: @escaping @Sendable (Int) -> Void, completion: @escaping @Sendable (FlushResult) -> Void
    ) {
        // What was kept apart is in the inbox when the move, which is under way on the executor, has had its turn.
        guard !writer.isMoving else {
            return pipeline.executor.perform { [self] in
                flushInbox(isPatient: isPatient, begun: begun, completion: completion)
            }
        }
        flushInbox(isPatient: isPatient, begun: begun, completion: completion)
    }

    private func flushInbox(
        isPatient: Bool, begun: @escaping @Sendable (Int) -> Void, completion: @escaping @Sendable (FlushResult) -> Void
    ) {
        pipeline.turns.barrier { [self] in
            pass(.flush) { [self] in
                flushProcessed(isPatient: isPatient, begun: begun, completion: completion)
            } otherwise: { [self] in
                let result = FlushResult.partly(remaining: remaining, reason: "a plugin did not let the call pass")
                DispatchQueue.global().async { completion(result) }
            }
        }
    }

    /// On the executor.
    private func flushProcessed(
        isPatient: Bool, begun: @escaping @Sendable (Int) -> Void, completion: @escaping @Sendable (FlushResult) -> Void
    ) {
        let plugins = PluginFlush(time: values.time, report: report)
        pipeline.plugins.inform(plugins)
        let number = uploader.flush(isPatient: isPatient, isOfApp: true) { [self] sent in
            let own = checked(sent)
            adoption.flush { [traces] adopted in
                let result = own == .sent ? adopted : own
                let done: @Sendable () -> Void = {
                    plugins.finish { DispatchQueue.global().async { completion(result) } }
                }
                if let traces { traces.flush(done) } else { done() }
            }
        }
        begun(number)
    }

    /// When the client has ended, what was not processed stays in the inbox, of which the uploader knows nothing.
    private func checked(_ result: FlushResult) -> FlushResult {
        let state = uploader.state
        let unprocessed = pipeline.unprocessed
        guard result == .sent, state.activity == .stopped, unprocessed > 0 else { return result }
        return .partly(remaining: unprocessed + state.waiting, reason: state.obstacle?.text ?? "the client has ended")
    }

    private func setTimer(_ timeout: TimeInterval, for wait: FlushWait) {
        wait.setTimer(
            values.time.schedule(after: min(timeout, Limits.flushTimeout), on: .global()) { [weak self] in
                self?.expire(wait)
            })
    }

    private func expire(_ wait: FlushWait) {
        let (remaining, reason) = (remaining, deliveryState.reasonOrProgress)
        wait.end(remaining == 0 ? .sent : .timedOut(remaining: remaining, reason: reason))
    }
}
