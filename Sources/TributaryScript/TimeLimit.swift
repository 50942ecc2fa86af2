/// When the time of a call is used up.
///
/// What counts is the processor's time of the thread that runs the script: on a busy device other threads may keep a script
/// waiting, and that is no fault of the script. The processor's time is only read once as much time has passed as the budget
/// has. After `waiting` seconds more the script is stopped in any case, because the pipeline waits for it.
struct TimeLimit: Equatable {
    /// Before this moment the budget cannot be used up.
    private(set) var earliest = UInt64.max
    /// After this moment the script is stopped however little of the processor it got.
    private(set) var latest = UInt64.max
    /// The processor's time of the thread at which the budget is used up; none before the thread is known.
    private(set) var processor = UInt64.max
    private var budget: UInt64 = 0

    /// No limit.
    init() {}

    /// The limit of a call that begins now.
    /// - Parameter outer: that of the call around it, which it cannot outlive.
    init(seconds: Double, now: UInt64, within outer: TimeLimit) {
        budget = UInt64(min(max(seconds, 0), Self.longest) * 1e9)
        earliest = min(outer.earliest, now &+ budget)
        latest = min(outer.latest, now &+ budget &+ Self.waiting)
        processor = outer.processor
    }

    /// Counts the processor's time of a thread, from its present value on.
    mutating func count(from used: UInt64) { processor = min(processor, used &+ budget) }

    /// - Parameter used: the processor's time of the thread.
    func isOver(now: UInt64, used: () -> UInt64) -> Bool {
        now >= earliest && (now >= latest || used() >= processor)
    }

    /// A year: longer budgets would not fit the clock.
    private static let longest = 31_536_000.0
    /// A second, in nanoseconds.
    private static let waiting: UInt64 = 1_000_000_000
    static let waitingSeconds = Double(waiting) / 1e9
}
