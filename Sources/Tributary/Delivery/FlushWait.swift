/// One wait for a flush. The first of three ends counts: everything is sent, the time is over, or the waiting task is
/// cancelled.
final class FlushWait: Sendable {
    private struct State {
        var completion: (@Sendable (FlushResult) -> Void)?
        var result: FlushResult?
        var timer: (any ScheduledWork)?
        /// Cancels the uploader's wait.
        var cancel: (@Sendable () -> Void)?
    }

    private let state = LockBox(State())

    /// - Parameter completion: called once; at once when the wait has already ended.
    func begin(_ completion: @escaping @Sendable (FlushResult) -> Void) {
        let result = state.withLock { state in
            if state.result == nil { state.completion = completion }
            return state.result
        }
        if let result { completion(result) }
    }

    /// The uploader has begun its wait.
    func began(_ number: Int, at uploader: Uploader) {
        let cancel: @Sendable () -> Void = { [weak uploader] in uploader?.cancelFlush(number) }
        let isOver = state.withLock { state in
            state.cancel = cancel
            return state.result != nil
        }
        if isOver { cancel() }
    }

    func setTimer(_ timer: any ScheduledWork) {
        let isOver = state.withLock { state in
            state.timer = timer
            return state.result != nil
        }
        if isOver { timer.cancel() }
    }

    func end(_ result: FlushResult) {
        let old = state.withLock { state -> State? in
            guard state.result == nil else { return nil }
            defer {
                state = State()
                state.result = result
            }
            return state
        }
        old?.timer?.cancel()
        old?.cancel?()
        old?.completion?(result)
    }
}
