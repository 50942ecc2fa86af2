import Dispatch
public import Foundation

extension Analytics {
    /// Sends what was tracked before this call; returns at once.
    ///
    /// The completion is called on a background thread after one attempt to send everything, successful or not.
    public func flush(completion: (@Sendable () -> Void)? = nil) {
        startFlush(isPatient: false, id: LockBox(nil)) { _ in completion?() }
    }

    /// Sends what was tracked before this call, trying again after failures until it is done or the time is over.
    /// - Parameter timeout: seconds to wait at the most.
    /// - Returns: whether everything went out, and if not, how much waits and why.
    public func flush(timeout: TimeInterval) async -> FlushResult {
        await withCheckedContinuation { continuation in
            let finish = FlushOnce { continuation.resume(returning: $0) }
            let id = LockBox<Int?>(nil)
            startFlush(isPatient: true, id: id) { finish.call($0) }
            values.time.schedule(after: timeout, on: DispatchQueue.global()) { [self] in
                finish.call(.timedOut(remaining: remaining, reason: whyNothingIsUploaded ?? "it is being sent"))
                if let id = id.withLock({ $0 }) { uploader.cancelFlush(id) }
            }
        }
    }

    /// Whether tracked events have not reached the server yet.
    public var hasUnsentEvents: Bool { remaining > 0 }

    /// Why nothing is being uploaded right now; nil while something is.
    public var whyNothingIsUploaded: String? { pipeline.blocker ?? uploader.whyIdle }

    private var remaining: Int { ([lane] + adoption.lanes).reduce(0) { $0 + $1.unprocessed + $1.outbox.count } }

    private func startFlush(
        isPatient: Bool, id: LockBox<Int?>, completion: @escaping @Sendable (FlushResult) -> Void
    ) {
        pipeline.barrier { [self] in
            visitEventPlugins { $0.flush() }
            let number = uploader.flush(isPatient: isPatient) { [self] result in
                let done: @Sendable () -> Void = { DispatchQueue.global().async { completion(result) } }
                if let traces { traces.flush(done) } else { done() }
            }
            id.withLock { $0 = number }
        }
    }
}

/// The first result counts: the end of sending and the end of the time may come together.
private final class FlushOnce: Sendable {
    private let completion: LockBox<(@Sendable (FlushResult) -> Void)?>

    init(_ completion: @escaping @Sendable (FlushResult) -> Void) { self.completion = LockBox(completion) }

    func call(_ result: FlushResult) {
        let first = completion.withLock { completion in
            defer { completion = nil }
            return completion
        }
        first?(result)
    }
}
