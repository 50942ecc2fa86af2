import Foundation

/// A thread that runs calls that block, one after the other. The system gives it a processor after the threads of requests.
///
/// The thread ends after the waiting calls when the object is no longer in use.
final class BackgroundThread: Sendable {
    /// The thread holds the calls, and not the object.
    private final class Calls: Sendable {
        private struct State {
            var waiting: [@Sendable () -> Void] = []
            var isOver = false
            var thread: Thread?
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
                condition.signal()
            }
        }

        /// Runs the calls on this thread until the end.
        func run() {
            condition.withLock { state.thread = Thread.current }
            while let call = next() { call() }
        }

        var isOfThisThread: Bool { condition.withLock { state.thread === Thread.current } }

        private func next() -> (@Sendable () -> Void)? {
            condition.withLock {
                while state.waiting.isEmpty, !state.isOver { condition.wait() }
                return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            }
        }
    }

    private let calls = Calls()

    init() {
        Thread.detachNewThread { [calls] in
            Self.giveWay()
            calls.run()
        }
    }

    deinit { calls.end() }

    /// Runs a call after the waiting calls.
    func async(_ call: @escaping @Sendable () -> Void) { calls.add(call) }

    /// Whether the caller is on this thread.
    var isCurrent: Bool { calls.isOfThisThread }

    /// Lets other threads go first: this one gets a tenth of the time of an ordinary one when both have work.
    static func giveWay() {
        #if os(Linux)
        // About the thread alone, as nowhere else. Without success the thread is like the others.
        _ = nice(10)
        #else
        Thread.current.qualityOfService = .utility
        #endif
    }
}
