import Dispatch

/// Calls that wait until the disk can be read. Their result depends on the user, which is only known then.
///
/// When too many calls wait, the oldest event is dropped and counted. Its change of the user stays.
final class HeldCalls: Sendable {
    /// The work of a call. It must not call `hold`, which keeps every call until `open` is done.
    typealias Work = @Sendable (Analytics) -> Void

    /// A call in its parts, so that its event can be dropped alone.
    struct Call {
        /// Makes the event and its change of the user; nil for a call without an event.
        var event: Work?
        /// The part of the work that is done even when the event is dropped; nil when there is none.
        var other: Work?
        /// Called on a background thread when the client ends before the call is made.
        var ended: (@Sendable () -> Void)?
    }

    fileprivate enum Phase { case open, waiting, closed }

    fileprivate struct State {
        var phase: Phase
        var calls: [Call] = []
        var events = 0
        /// Events that were dropped because too many waited.
        var dropped = 0
        /// The error of the last attempt to read the disk.
        var failure: (any Error)?
    }

    private let state: LockBox<State>

    /// - Parameter failure: why the disk cannot be read; nil when it can.
    init(_ failure: (any Error)?) {
        state = LockBox(State(phase: failure == nil ? .open : .waiting, failure: failure))
    }

    /// Whether new calls are not to be made now: they wait, or the client ended before the disk could be read.
    var isHolding: Bool { state.withLock { $0.phase != .open } }
    /// Whether the disk cannot be read yet.
    var isWaiting: Bool { state.withLock { $0.phase == .waiting } }
    /// Calls that wait.
    var calls: Int { state.withLock { $0.calls.count } }
    /// Events that wait.
    var events: Int { state.withLock { $0.events } }
    /// Why the disk cannot be read; nil when it can.
    var failure: (any Error)? { state.withLock { $0.phase == .waiting ? $0.failure : nil } }

    /// Keeps a call until the disk can be read.
    /// - Returns: false when the disk can be read; the caller then makes the call now.
    func hold(_ call: Call) -> Bool {
        state.withLock { state in
            switch state.phase {
            case .open: return false
            case .closed:
                if let ended = call.ended { DispatchQueue.global().async(execute: ended) }
                return true
            case .waiting: break
            }
            state.calls.append(call)
            if call.event != nil { state.events += 1 }
            if state.events > Limits.memoryEvents { state.giveUpOldestEvent() }
            // Calls without an event change the user. An old change was most likely repeated later.
            if state.calls.count - state.events > Limits.memoryEvents { state.giveUpOldestOther() }
            return true
        }
    }

    /// Drops the events, but keeps their changes of the user.
    func giveUpEvents() {
        state.withLock { state in while state.events > 0 { state.giveUpOldestEvent(isLoss: false) } }
    }

    /// Drops all calls with an event, and all changes of the user.
    func forget() {
        state.withLock { state in
            state.calls.removeAll { $0.event != nil }
            state.events = 0
        }
    }

    /// Makes the calls in their order. Calls that arrive meanwhile come after them.
    /// - Returns: the number of events that were dropped because too many waited.
    func open(_ analytics: Analytics) -> Int {
        while true {
            let calls = state.withLock { state -> [Call] in
                if state.calls.isEmpty, state.phase == .waiting { state.phase = .open }
                defer { state.calls = [] }
                state.events = 0
                return state.calls
            }
            guard !calls.isEmpty else { return takeDropped() }
            for call in calls { (call.event ?? call.other)?(analytics) }
        }
    }

    /// Ends the wait without making the calls.
    /// - Returns: the number of events that are lost.
    func close() -> Int {
        let (waiting, calls) = state.withLock { state -> (Int, [Call]) in
            guard state.phase == .waiting else { return (0, []) }
            state.phase = .closed
            defer { (state.events, state.calls) = (0, []) }
            return (state.events, state.calls)
        }
        for ended in calls.compactMap(\.ended) { DispatchQueue.global().async(execute: ended) }
        return waiting + takeDropped()
    }

    private func takeDropped() -> Int {
        state.withLock { state in
            defer { state.dropped = 0 }
            return state.dropped
        }
    }
}

extension HeldCalls.State {
    fileprivate mutating func giveUpOldestEvent(isLoss: Bool = true) {
        guard let index = calls.firstIndex(where: { $0.event != nil }) else { return }
        calls[index].event = nil
        if calls[index].other == nil { calls.remove(at: index) }
        events -= 1
        if isLoss { dropped += 1 }
    }

    fileprivate mutating func giveUpOldestOther() {
        guard let index = calls.firstIndex(where: { $0.event == nil }) else { return }
        calls.remove(at: index)
    }
}
