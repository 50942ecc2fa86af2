#if canImport(CJavaScriptCore)
import CJavaScriptCore
#elseif canImport(JavaScriptCore)
import JavaScriptCore
#endif
#if canImport(CJavaScriptCore) || canImport(JavaScriptCore)

/// Looks at the running script every few milliseconds and stops it when it breaks its budget.
///
/// The guards in a script ask `look` when their count has run out. How many guards may pass until the next time depends on
/// how long the last ones took, so that a script is looked at about every quarter of a millisecond. Where the engine has a
/// limit of its own, that is the second line: JavaScriptCore calls `tick` on the thread of the script, between two steps of it. The limit that it is given is only
/// the distance of the ticks; the limit is ours (`TimeLimit`). A tick that lets the script go on must set the limit again, because
/// the engine forgets it. Limits of 10 µs or less are never used: the engine's timer thread ends the process on them.
final class Watchdog {
    /// Why a script was stopped.
    enum Verdict {
        case time, memory
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
    /// What the process held when the running call was looked at for the first time.
    private var residentAtFirstLook: Int?
    private(set) var verdict: Verdict?

    /// - Parameter canStop: whether scripts are looked at while they run.
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
    /// The function for it is no public one, and the App Store refuses apps that use it, so only Linux has it.
    static var canStop: Bool {
        #if canImport(CJavaScriptCore)
        EngineOptions.applied && EngineSymbols.setTimeLimit != nil
        #else
        false
        #endif
    }

    /// Sets the next tick.
    func arm() {
        #if canImport(CJavaScriptCore)
        guard stops else { return }
        let this = Unmanaged.passUnretained(self).toOpaque()
        EngineSymbols.setTimeLimit?(group, Self.tickSeconds, Self.callback, this)
        #endif
    }

    /// Starts a call's time; an inner call cannot have more of it than the outer one. Returns what `end` wants back.
    func begin(seconds: Double) -> TimeLimit {
        let outer = limit
        if outer == TimeLimit() { residentAtFirstLook = nil }
        lastLook = clock()
        limit = TimeLimit(seconds: seconds, now: lastLook, within: outer)
        return outer
    }

    /// Called on the thread of the script, before the script begins.
    func enter() { limit.count(from: processorTime()) }

    /// Ends a call's time.
    func end(_ outer: TimeLimit) { limit = outer }

    /// Forgets a verdict, once the script is really over.
    func clear() { verdict = nil }

    /// How many guards may pass until the next look; 0 when the script has to stop.
    func look(in context: JSContextRef?) -> Int {
        let now = clock()
        if verdict == nil, limit.isOver(now: now, used: processorTime) { verdict = .time }
        if now &- lastMemoryCheck >= Self.memoryNanoseconds {
            lastMemoryCheck = now
            checkMemory(in: context)
        }
        guard verdict == nil else { return 0 }
        let elapsed = now &- lastLook
        lastLook = now
        let isEarly = elapsed < Self.lookNanoseconds / 2
        let fair = isEarly ? allowance * 2 : allowance * Int(Self.lookNanoseconds) / Int(clamping: elapsed)
        allowance = max(1, min(fair, Self.longestAllowance))
        return allowance
    }

    /// Looks at the memory alone, for scripts whose calls are shorter than a tick.
    func checkMemory(in context: JSContextRef?) {
        if verdict == nil, isMemoryExceeded(in: context) { verdict = .memory }
    }

    /// True when the script has to stop.
    private func tick(_ context: JSContextRef?) -> Bool {
        if verdict == nil, limit.isOver(now: clock(), used: processorTime) { verdict = .time }
        checkMemory(in: context)
        arm()
        return verdict != nil
    }

    private func isMemoryExceeded(in context: JSContextRef?) -> Bool {
        guard let resident = privateBytes() else { return false }
        let before = residentAtFirstLook ?? resident
        residentAtFirstLook = before
        guard memory.isSuspicious(resident: resident) else { return false }
        return memory.isGuilty(resident: resident, heap: heapBytes(in: context) ?? resident - before)
    }

    /// The size of the heap, where the engine's own interfaces may be used and say it. They walk the whole heap, so they
    /// are only asked when there is a suspicion. Elsewhere the growth of the process during the call has to do.
    private func heapBytes(in context: JSContextRef?) -> Int? {
        #if canImport(CJavaScriptCore)
        guard stops, let context, let statistics = EngineSymbols.memoryStatistics?(context) else { return nil }
        return ScriptConversion.number("heapSize", of: statistics, in: context).flatMap(Int.init(exactly:))
        #else
        return nil
        #endif
    }

    #if canImport(CJavaScriptCore)
    private static let callback: EngineSymbols.ShouldTerminate = { context, pointer in
        guard let pointer else { return true }
        return Unmanaged<Watchdog>.fromOpaque(pointer).takeUnretainedValue().tick(context)
    }
    #endif

    private static let tickSeconds = 0.008
    private static let lookNanoseconds: UInt64 = 250_000
    private static let memoryNanoseconds: UInt64 = 8_000_000
    /// Of cheap guards, so many cost 30 µs; a look costs half a microsecond.
    private static let longestAllowance = 1024
}
#endif
