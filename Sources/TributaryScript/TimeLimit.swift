/// Decides when the time of a call is used up.
///
/// The budget counts the processor time of the script's thread, because on a busy device other threads can delay a script.
/// `waitingSeconds` after real time of the same length, the script is stopped in any case, because the pipeline waits for it.
///
/// Reading the processor time takes half a microsecond, and most calls end before anybody looks at them. So it is read for
/// the first time at the first look. How much of the time before belongs to the script is not known then: a tenth of the
/// budget at most is taken for the script's.
struct TimeLimit: Equatable {
    /// Before this moment the budget cannot be used up.
    private(set) var earliest = UInt64.max
    /// After this moment the script is stopped, however little processor time it had.
    private(set) var latest = UInt64.max
    /// The processor time of the thread at which the budget is used up; the maximum before the thread is known.
    private(set) var processor = UInt64.max
    private var budget: UInt64 = 0
    /// When the call began.
    private var start: UInt64 = 0
    /// The processor time of the thread when the call began there; nil before the first look.
    private var began: UInt64?

    /// No limit.
    init() {}

    /// The limit of a call that begins now.
    /// - Parameter outer: the limit of the outer call, which also applies to this call.
    init(seconds: Double, now: UInt64, within outer: TimeLimit) {
        start = now
        budget = UInt64(min(max(seconds, 0), Self.longest) * 1e9)
        earliest = min(outer.earliest, now &+ budget)
        latest = min(outer.latest, now &+ budget &+ Self.waiting)
        processor = outer.processor
    }

    /// Begins to count the processor time of the thread at the first look. Does nothing at later ones, and without a call.
    /// - Parameter used: reads the processor time of the thread.
    mutating func count(now: UInt64, used: () -> UInt64) {
        guard began == nil, earliest != .max else { return }
        let used = used()
        count(from: used - min(used, now &- start, budget / 10))
    }

    private mutating func count(from used: UInt64) {
        began = used
        processor = min(processor, used &+ budget)
    }

    /// Takes from the budget what stopping the script will need.
    mutating func shorten(by nanoseconds: UInt64) {
        guard self != TimeLimit() else { return }
        earliest -= min(earliest, nanoseconds)
        latest -= min(latest, nanoseconds)
        if processor != .max { processor -= min(processor, nanoseconds) }
    }

    /// This limit after a call within it. The first such call that was looked at shows on which thread scripts run.
    func after(_ inner: TimeLimit) -> TimeLimit {
        guard earliest != .max, began == nil, let began = inner.began else { return self }
        var limit = self
        limit.count(from: began)
        return limit
    }

    /// - Parameter used: reads the processor time of the thread.
    func isOver(now: UInt64, used: () -> UInt64) -> Bool {
        now >= earliest && (now >= latest || used() >= processor)
    }

    /// A year. A longer budget would overflow the clock.
    private static let longest = 31_536_000.0
    /// A second, in nanoseconds.
    private static let waiting: UInt64 = 1_000_000_000
    static let waitingSeconds = Double(waiting) / 1e9
}
