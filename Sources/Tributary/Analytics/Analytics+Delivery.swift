import Dispatch
public import Foundation
import TributaryJSON

extension Analytics {
    /// The address that batches go to: on the given host, else on this client's API host. The field's own service has a
    /// host of its own for signals.
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

    /// Sends the events of earlier calls; returns at once.
    ///
    /// The client calls the completion on a background thread after one attempt to send everything, successful or not.
    /// Before settings are known, the attempt waits for them. While delivery is paused, while the settings switch
    /// collection off, and after the client has ended, the completion is called soon.
    ///
    /// In `OperatingMode.synchronous` the call returns when everything has been sent. It tries again after failures
    /// until `Configuration.flushTimeout` is over; then a diagnostic says how many events wait and why. In this mode
    /// the completion is called on the caller's thread, before the call returns. When a plugin or destination makes the
    /// call, it returns at once in this mode, too.
    public func flush(completion: (@Sendable () -> Void)? = nil) {
        guard values.operatingMode == .synchronous, values.flushTimeout > 0, !pipeline.executor.isPluginCalling else {
            return requestFlush(completion: completion)
        }
        flushOnCaller()
        completion?()
    }

    /// Requests a flush and returns at once in both operating modes. The library flushes on threads that must not wait,
    /// such as the main thread when the app goes to the background.
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
        case .sent, .dropped: break
        case .partly(let remaining, let reason), .timedOut(let remaining, let reason):
            report(
                Diagnostic(
                    .delivery, "flush() returns while \(remaining) events wait: \(reason)", count: remaining))
        }
    }

    /// Sends the events of earlier calls. It tries again after failures until everything is sent or the time is
    /// over.
    ///
    /// ```swift
    /// analytics.track(name: "Report Finished")
    /// let result = await analytics.flush(timeout: 5)
    /// if result != .sent { print("the report's event waits: \(result)") }
    /// ```
    ///
    /// - Parameter timeout: the longest wait in seconds. With 0 the call requests delivery and returns the number of
    ///   waiting events.
    /// - Returns: whether all events were sent, and if not, how many wait or were dropped and why. When the task is
    ///   cancelled, the call returns this at once; the events stay where they are, and delivery goes on.
    public func flush(timeout: TimeInterval) async -> FlushResult {
        let wait = FlushWait()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wait.begin { continuation.resume(returning: self.withDropped($0)) }
                // Measured here: the time counts from the call, not from the start of the flush.
                let hasTime = timeout > 0
                if hasTime { setTimer(timeout, for: wait) }
                startFlush(isPatient: true, begun: { [uploader] in wait.began($0, at: uploader) }) { wait.end($0) }
                if !hasTime { expire(wait) }
            }
        } onCancel: { [weak self] in
            wait.end(.partly(remaining: self?.remaining ?? 0, reason: "the task that waited was cancelled"))
        }
    }

    /// Whether tracked events have not reached the server yet. Reading this starts nothing.
    public var hasUnsentEvents: Bool { remaining > 0 }

    /// The files with events that have not reached the server; nil when no event waits on disk.
    ///
    /// The files are for inspection only. They have the journal's format, not the protocol's. They change at any time,
    /// and the client deletes them when their events have arrived. Reading this starts nothing.
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

    /// The present state of delivery, and the reason when nothing is sent.
    public var deliveryState: DeliveryState {
        var state = uploader.state
        // Delivery begins a moment after the pipeline, on a queue of its own.
        let sendsNothing = state.activity == .idle || state.activity == .waiting
        if let obstacle = pipeline.start.state.blocker ?? (sendsNothing ? pipeline.backlog : nil) {
            state.obstacle = obstacle
        }
        if let waiting = writer.waitingForConsent, remaining == waiting.count { state.obstacle = waiting.obstacle }
        if held.isWaiting { state.obstacle = UploadObstacle(.storage, Self.diskCannotBeRead) }
        state.waiting = remaining
        return state
    }

    /// Events that the server refused for good, oldest first. The device keeps only the newest of them. When they
    /// cannot be read, a diagnostic says why and the list is empty.
    /// - Parameter limit: the largest number of events to return.
    public func deadLetters(limit: Int = 100) -> [DeadLetter] {
        do {
            return try deadLetters.read(maxCount: max(0, limit)).compactMap { DeadLetter(record: $0) }
        } catch {
            report(Diagnostic(.storage, "the events that were put aside cannot be read: \(error)"))
            return []
        }
    }

    /// Deletes the events that the server refused for good.
    public func removeDeadLetters() {
        do {
            try deadLetters.removeAll()
        } catch {
            report(Diagnostic(.storage, "the events that were put aside cannot be removed: \(error)"))
        }
    }

    private static let diskCannotBeRead = "the disk cannot be read yet"

    private var remaining: Int {
        held.events + writer.pendingCount
            + ([eventQueue] + adoption.queues).reduce(0) { $0 + $1.unprocessed + $1.unsent }
    }

    /// - Parameter begun: gets the number of the wait once the uploader has it.
    private func startFlush(
        isPatient: Bool, begun: @escaping @Sendable (Int) -> Void, completion: @escaping @Sendable (FlushResult) -> Void
    ) {
        if held.isWaiting {
            // A caller that does not wait gets the answer now. A caller that waits also waits for the disk.
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
        // A move of pending events is under way. The events are in the inbox after the next turn of the move on the
        // executor.
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
        let answer: @Sendable () -> Void = { [self] in answerSwitchedOff(completion) }
        // A patient flush waits for its time: collection may be switched on again before.
        pipeline.turns.barrier(whenSwitchedOff: isPatient ? nil : answer) { [self] in
            pass(.flush) { [self] in
                flushProcessed(isPatient: isPatient, begun: begun, completion: completion)
            } otherwise: { [self] in
                let result = FlushResult.partly(remaining: remaining, reason: "a plugin did not let the call pass")
                DispatchQueue.global().async { completion(result) }
            }
        }
    }

    private func answerSwitchedOff(_ completion: @escaping @Sendable (FlushResult) -> Void) {
        let (remaining, reason) = (remaining, ProcessingState.switchedOff.text)
        let result = remaining == 0 ? FlushResult.sent : .partly(remaining: remaining, reason: reason)
        DispatchQueue.global().async { completion(result) }
    }

    /// Asks the plugins and the uploader to flush. Runs on the executor.
    private func flushProcessed(
        isPatient: Bool, begun: @escaping @Sendable (Int) -> Void, completion: @escaping @Sendable (FlushResult) -> Void
    ) {
        eventQueue.check()
        flushing.delivered()
        let plugins = PluginFlush(time: values.time, report: report)
        pipeline.plugins.inform(plugins)
        let number = uploader.flush(isPatient: isPatient, isOfApp: true) { [self] sent in
            let own = checked(sent)
            adoption.flush { [self, traces] adopted in
                let result = own == .sent ? withConsent(adopted) : own
                let done: @Sendable () -> Void = {
                    plugins.finish { DispatchQueue.global().async { completion(result) } }
                }
                if let traces { traces.flush(done) } else { done() }
            }
        }
        begun(number)
    }

    /// The result, with the events that were not processed when the client has ended. The uploader does not see those,
    /// because they are in the inbox.
    private func checked(_ result: FlushResult) -> FlushResult {
        let state = uploader.state
        let unprocessed = pipeline.unprocessed
        guard result == .sent, state.activity == .stopped, unprocessed > 0 else { return result }
        return .partly(remaining: unprocessed + state.waiting, reason: state.obstacle?.text ?? "the client has ended")
    }

    /// The result, with the events that wait for consent.
    private func withConsent(_ result: FlushResult) -> FlushResult {
        guard result == .sent, let waiting = writer.waitingForConsent else { return result }
        return .partly(remaining: waiting.count, reason: waiting.obstacle.text)
    }

    /// The result, with the events that were dropped since a flush last said so.
    private func withDropped(_ result: FlushResult) -> FlushResult {
        guard result == .sent else { return result }
        let counters = counterStore.current
        var dropped = counters.lost
        if counters.deadLettered > 0 { dropped[Diagnostic.Reason.deadLettered.description] = counters.deadLettered }
        let news = reportedDrops.withLock { reported in
            defer { reported = dropped }
            return dropped.reduce(into: [String: Int]()) { news, drop in
                let count = drop.value - (reported[drop.key] ?? 0)
                if count > 0 { news[drop.key] = count }
            }
        }
        return news.isEmpty ? .sent : .dropped(reasons: news)
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
