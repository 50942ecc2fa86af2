#if canImport(CTributaryJavaScriptCore)
import CTributaryJavaScriptCore
#elseif canImport(JavaScriptCore)
import JavaScriptCore
#endif
#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)

/// Checks the running script at intervals, and stops it when it exceeds its budget.
///
/// The guards in a script call `look` when their count has run out. How many guards may pass until the next call
/// depends on how long the last ones took, so a script is checked about every quarter of a millisecond.
///
/// When the engine has a limit of its own, it is the second line of defence: JavaScriptCore calls `tick` on the thread of
/// the script, between two steps. A tick that lets the script continue must set the limit again, because the engine
/// forgets it. The engine measures a limit with a timer. Two of its timers that fire within some microseconds can end the
/// process, and the engine starts such a timer when a script has nearly used up the limit. So the limit is much longer
/// than each budget, and no script with guards gets near it. It never becomes shorter, because the timer for the old
/// limit would still run beside that for the new one.
final class Watchdog {
    /// The reason why a script was stopped.
    enum Verdict {
        case time, memory, withdrawal
    }

    private let group: JSContextGroupRef
    private let stops: Bool
    private let clock: () -> UInt64
    private let processorTime: () -> UInt64
    private let privateBytes: () -> Int?
    private var limit = TimeLimit()
    private var memory: MemoryWatch
    private var allowance = longestAllowance
    private var lastLook: UInt64 = 0
    private var lastMemoryCheck: UInt64 = 0
    /// The memory of the process at the first check of the running call.
    private var residentAtFirstLook: Int?
    private(set) var verdict: Verdict?
    /// The engine's own limit, in seconds; 0 without one.
    private var engineLimit = 0.0
    /// How often the engine's own limit was reached.
    private(set) var ticks = 0
    /// Whether the scripts were withdrawn.
    var isWithdrawn: (() -> Bool)?

    /// - Parameter canStop: whether scripts are checked while they run.
    init(
        group: JSContextGroupRef, budget: ScriptBudget, canStop: Bool, clock: @escaping () -> UInt64,
        processorTime: @escaping () -> UInt64,
        privateBytes: @escaping () -> Int?
    ) {
        self.group = group
        stops = canStop
        self.clock = clock
        self.processorTime = processorTime
        self.privateBytes = privateBytes
        memory = MemoryWatch(budget: budget, resident: privateBytes() ?? 0)
    }

    /// Whether endless loops can be stopped on this system.
    ///
    /// The function for it is not public, and the App Store refuses apps that use it. So only Linux has it.
    static var canStop: Bool {
        #if canImport(CTributaryJavaScriptCore)
        EngineOptions.applied && EngineSymbols.setTimeLimit != nil
        #else
        false
        #endif
    }

    /// Makes the engine's own limit long enough for calls with this budget.
    func coverWithEngineLimit(seconds: Double) {
        let needed = seconds + Self.secondsUntilTick
        guard stops, needed > engineLimit else { return }
        engineLimit = needed
        setEngineLimit()
    }

    private func setEngineLimit() {
        #if canImport(CTributaryJavaScriptCore)
        let this = Unmanaged.passUnretained(self).toOpaque()
        EngineSymbols.setTimeLimit?(group, engineLimit, Self.callback, this)
        #endif
    }

    /// Starts a call's time. An inner call cannot have more time than the outer one. Returns the value for `end`.
    func begin(seconds: Double) -> TimeLimit {
        let outer = limit
        if outer == TimeLimit() { residentAtFirstLook = nil }
        lastLook = clock()
        limit = TimeLimit(seconds: seconds, now: lastLook, within: outer)
        return outer
    }

    /// Ends a call's time.
    func end(_ outer: TimeLimit) { limit = outer.after(limit) }

    /// Forgets a verdict when the script is really over.
    func clear() { verdict = nil }

    /// The number of guards that may pass until the next call; 0 when the script has to stop. Called on the thread of the
    /// script.
    ///
    /// - Parameter waiting: how many async functions began since the last call.
    func look(in context: JSContextRef?, waiting: Int) -> Int {
        let now = clock()
        limit.count(now: now, used: processorTime)
        if waiting > 0 { limit.shorten(by: UInt64(waiting) * Self.settlingNanoseconds) }
        if verdict == nil, limit.isOver(now: now, used: processorTime) { verdict = .time }
        if now &- lastMemoryCheck >= Self.memoryNanoseconds {
            lastMemoryCheck = now
            checkMemory(in: context)
            checkWithdrawal()
        }
        guard verdict == nil else { return 0 }
        let elapsed = now &- lastLook
        lastLook = now
        let isEarly = elapsed < Self.lookNanoseconds / 2
        let fair = isEarly ? allowance * 2 : allowance * Int(Self.lookNanoseconds) / Int(clamping: elapsed)
        allowance = max(1, min(fair, Self.longestAllowance))
        return allowance
    }

    /// Whether the running call has used up its time. Called on the thread of the script.
    func isOver() -> Bool {
        let now = clock()
        limit.count(now: now, used: processorTime)
        return limit.isOver(now: now, used: processorTime)
    }

    /// Checks only the memory, for scripts with calls that are shorter than a tick.
    func checkMemory(in context: JSContextRef?) {
        if verdict == nil, isMemoryExceeded(in: context) { verdict = .memory }
    }

    private func checkWithdrawal() {
        if verdict == nil, isWithdrawn?() == true { verdict = .withdrawal }
    }

    /// Whether the script has to stop.
    private func tick(_ context: JSContextRef?) -> Bool {
        ticks += 1
        if verdict == nil, limit.isOver(now: clock(), used: processorTime) { verdict = .time }
        checkMemory(in: context)
        checkWithdrawal()
        setEngineLimit()
        return verdict != nil
    }

    private func isMemoryExceeded(in context: JSContextRef?) -> Bool {
        guard let resident = privateBytes() else { return false }
        let before = residentAtFirstLook ?? resident
        residentAtFirstLook = before
        guard memory.isSuspicious(resident: resident) else { return false }
        return memory.isGuilty(resident: resident, heap: heapBytes(in: context) ?? resident - before)
    }

    /// The size of the heap, if the engine's own interfaces may be used and report it. They walk the whole heap, so
    /// they are only used when there is a suspicion. Otherwise the growth of the process during the call is used.
    private func heapBytes(in context: JSContextRef?) -> Int? {
        #if canImport(CTributaryJavaScriptCore)
        guard stops, let context, let statistics = EngineSymbols.memoryStatistics?(context) else { return nil }
        return ScriptConversion.number("heapSize", of: statistics, in: context).flatMap(Int.init(exactly:))
        #else
        return nil
        #endif
    }

    #if canImport(CTributaryJavaScriptCore)
    private static let callback: EngineSymbols.ShouldTerminate = { context, pointer in
        guard let pointer else { return true }
        return Unmanaged<Watchdog>.fromOpaque(pointer).takeUnretainedValue().tick(context)
    }
    #endif

    /// Seconds from the end of a budget to the tick. By then guards have stopped each script that has any. Where the engine
    /// has no limit, a thread is given up after the same time.
    static let secondsUntilTick = TimeLimit.waitingSeconds + 0.5
    private static let lookNanoseconds: UInt64 = 250_000
    /// The time that the engine needs to settle the promise of an async function that was stopped: 1.5 to 1.8 µs were
    /// measured with the interpreter. An async function costs at least half of that before.
    private static let settlingNanoseconds: UInt64 = 1_000
    private static let memoryNanoseconds: UInt64 = 8_000_000
    /// That many cheap guards cost 30 µs; a check costs half a microsecond.
    private static let longestAllowance = 1024
}
#endif
