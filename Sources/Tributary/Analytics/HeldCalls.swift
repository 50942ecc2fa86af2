import Dispatch

/// Calls that wait until the disk can be read. Their result depends on the user, who is not known before.
///
/// Bounded: of too many, the oldest event goes, and is counted. What a call said of the user stays.
final class HeldCalls: Sendable {
    /// The work of a call. It must not ask again whether it has to wait: until all calls are made, it would.
    typealias Work = @Sendable (Analytics) -> Void

    /// A call, and what becomes of it when its event is given up.
    struct Call {
        /// Makes the event, with the change that belongs to it; nil for a call without one.
        var event: Work?
        /// The part of the work without an event; nil when there is none.
        var other: Work?
        /// Called when the client ends before, on a background thread.
        var ended: (@Sendable () -> Void)?
    }

    fileprivate enum Phase { case open, waiting, closed }

    fileprivate struct State {
        var phase: Phase
        var calls: [Call] = []
        var events = 0
        /// Events that were given up for want of room.
        var dropped = 0
        /// Why the disk could not be read at the last look.
        var failure: (any Error)?
    }

    private let state: LockBox<State>

    /// - Parameter failure: why the disk cannot be read; nil when it can.
    init(_ failure: (any Error)?) {
        state = LockBox(State(phase: failure == nil ? .open : .waiting, failure: failure))
    }

    /// Whether calls wait, or are of no use any more because the client ended before the disk could be read.
    var isHolding: Bool { state.withLock { $0.phase != .open } }
    /// Whether there is still something to wait for.
    var isWaiting: Bool { state.withLock { $0.phase == .waiting } }
    /// Calls that wait.
    var calls: Int { state.withLock { $0.calls.count } }
    /// Events that wait.
    var events: Int { state.withLock { $0.events } }
    /// Why the disk cannot be read; nil when it can.
    var failure: (any Error)? { state.withLock { $0.phase == .waiting ? $0.failure : nil } }

    /// Keeps a call until the disk can be read.
    /// - Returns: false when it can be, and the call is to be made now.
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
            // Calls without events are changes of the user; old ones were most likely repeated later.
            if state.calls.count - state.events > Limits.memoryEvents { state.giveUpOldestOther() }
            return true
        }
    }

    /// Gives up the events, but not what they said of the user.
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

    /// Makes the calls in their order; those that come meanwhile are made after them.
    /// - Returns: events that had been given up for want of room.
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

    /// Nothing is waited for any more.
    /// - Returns: events that are lost with it.
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
