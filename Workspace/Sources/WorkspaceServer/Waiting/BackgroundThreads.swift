import Foundation

/// Threads for calls that take long or block. The system gives them a processor after the threads of requests.
///
/// The calls begin in their order. The threads end after the waiting calls when the object is no longer in use.
final class BackgroundThreads: Sendable {
    /// The threads hold the calls, and not the object.
    private final class Calls: Sendable {
        private struct State {
            var waiting: [@Sendable () -> Void] = []
            /// Calls before it have begun.
            var first = 0
            var isOver = false
            var threads: [Thread] = []
        }

        private let condition = NSCondition()
        /// The condition is held whenever it is used.
        private nonisolated(unsafe) var state = State()

        func add(_ call: @escaping @Sendable () -> Void) {
            condition.withLock {
                state.waiting.append(call)
                condition.signal()
            }
        }

        func end() {
            condition.withLock {
                state.isOver = true
                condition.broadcast()
            }
        }

        /// Runs calls on this thread until the end.
        func run() {
            condition.withLock { state.threads.append(Thread.current) }
            while let call = next() { call() }
        }

        var areOfThisThread: Bool { condition.withLock { state.threads.contains { $0 === Thread.current } } }

        private func next() -> (@Sendable () -> Void)? {
            condition.withLock {
                while state.first == state.waiting.count, !state.isOver { condition.wait() }
                guard state.first < state.waiting.count else { return nil }
                let call = state.waiting[state.first]
                state.first += 1
                // Moving the other calls each time would take longer, the more of them wait.
                if state.first == state.waiting.count || (state.first > 1_000 && state.first > state.waiting.count / 2)
                {
                    state.waiting.removeFirst(state.first)
                    state.first = 0
                }
                return call
            }
        }
    }

    private let calls = Calls()

    init(count: Int) {
        for _ in 0..<count {
            Thread.detachNewThread { [calls] in
                Self.giveWay()
                calls.run()
            }
        }
    }

    deinit { calls.end() }

    /// Runs a call after the waiting calls.
    func async(_ call: @escaping @Sendable () -> Void) { calls.add(call) }

    /// Whether the caller is on one of these threads.
    var areCurrent: Bool { calls.areOfThisThread }

    /// Lets other threads go first: this one gets a tenth of the time of an ordinary one when both have work.
    private static func giveWay() {
        #if os(Linux)
        // About the thread alone, as nowhere else. Without success the thread is like the others.
        _ = nice(10)
        #else
        Thread.current.qualityOfService = .utility
        #endif
    }
}
