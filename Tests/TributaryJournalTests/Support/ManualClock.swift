@testable import TributaryJournal

/// A wall clock that stands still until a test moves it.
final class ManualClock: Sendable {
    private let time: Locked<Int64>

    init(_ seconds: Int64 = 1_700_000_000) { time = Locked(seconds) }

    var seconds: Int64 {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    var milliseconds: Int64 { seconds * 1000 + 250 }

    func advance(_ seconds: Int64) { self.seconds += seconds }
    func advance(days: Int64) { advance(days * 86_400) }
}
