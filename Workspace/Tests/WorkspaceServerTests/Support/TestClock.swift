import Synchronization

/// A clock that stands still until it is told.
final class TestClock: Sendable {
    private let milliseconds = Mutex<Int64>(1_700_000_000_000)

    var now: Int64 { milliseconds.withLock { $0 } }

    func advance(by milliseconds: Int64) { self.milliseconds.withLock { $0 += milliseconds } }
}
