import Testing

@_spi(OwnScripts) @testable import TributaryScript

#if canImport(CTributaryJavaScriptCore)
import CTributaryJavaScriptCore
import Glibc

/// Scripts that take too long, too much memory or too much stack, stopped for real.
@Suite(.serialized) struct ScriptBudgetTests {
    @Test("The engine of this system can stop scripts")
    func canStop() {
        #expect(ScriptEngine.canStopScripts)
    }

    @Test(
        "An endless loop is stopped, and the engine runs the next script",
        arguments: [
            "while (true) {}",
            "for (;;) { try { while (true) {} } finally { continue; } }",
            "[3, 2, 1].sort(() => { while (true) {} })",
            "'a'.replace(/a/, () => { while (true) {} })",
            "JSON.stringify({ toJSON() { while (true) {} } })",
            "({ get a() { while (true) {} } })",
            "throw { toString() { while (true) {} } }",
            "throw { get line() { while (true) {} } }",
        ])
    func endlessLoops(source: String) throws {
        let engine = try ScriptEngine(budget: ScriptBudget(seconds: 0.02))
        let error = throwing { try engine.evaluate(source, name: "t.js") }
        #expect(error?.reason == .timeExceeded)
        #expect(engine.state == .ready)
        #expect(try engine.evaluate("'alive'", name: "t.js") == .string("alive"))
    }

    @Test("Endless calls of a function are stopped, and calls between them run")
    func endlessCalls() throws {
        let engine = try ScriptEngine(budget: ScriptBudget(seconds: 0.01))
        let spin = try engine.function("(function () { for (;;) ; })", name: "t.js")
        let fine = try engine.function("(function (n) { return n + 1; })", name: "t.js")
        for round in 0..<10 {
            #expect(throwing { try engine.call(spin) }?.reason == .timeExceeded)
            #expect(try engine.call(fine, [.number(Double(round))]) == .number(Double(round + 1)))
        }
    }

    @Test("A call can have a budget of its own")
    func ownBudget() throws {
        let engine = try ScriptEngine(budget: ScriptBudget(seconds: 3600))
        #expect(throwing { try engine.evaluate("for (;;) ;", name: "t.js", seconds: 0.01) }?.reason == .timeExceeded)
    }

    @Test("An inner call is stopped at the end of the outer call's budget")
    func innerCalls() throws {
        let engine = try ScriptEngine(budget: ScriptBudget(seconds: 0.02))
        try engine.expose("host") { _ in try engine.evaluate("for (;;) ;", name: "inner.js", seconds: 3600) }
        let error = throwing { try engine.evaluate("for (;;) { try { host(); } catch {} }", name: "t.js") }
        #expect(error?.reason == .timeExceeded)
        #expect(try engine.evaluate("1", name: "t.js") == .number(1))
    }

    @Test("A script is stopped when the clock says that its time is over")
    func clock() throws {
        let time = ManualTime()
        let engine = try ScriptEngine(budget: ScriptBudget(seconds: 10), census: ScriptCensus(), clock: time.read)
        time.step = 1_000_000_000
        #expect(throwing { try engine.evaluate("for (;;) ;", name: "t.js") }?.reason == .timeExceeded)
        #expect(time.reads > 5)
    }

    @Test("A script that other threads keep from the processor gets a second more")
    func starvation() throws {
        let time = ManualTime()
        let engine = try ScriptEngine(
            budget: ScriptBudget(seconds: 0.001), census: ScriptCensus(), clock: time.read, processorTime: { 7 })
        // The first of some hundred looks at the clock comes after the budget, and the last one long before the second
        // is over.
        time.step = 2_000_000
        let sum = "(() => { let s = 0; for (let i = 0; i < 1300; i++) s += 1; return s; })()"
        #expect(try engine.evaluate(sum, name: "t.js") == .number(1300))
        #expect(time.reads > 3)
        #expect(throwing { try engine.evaluate("for (;;) ;", name: "t.js") }?.reason == .timeExceeded)
        #expect(try engine.evaluate("1", name: "t.js") == .number(1))
    }

    @Test("The processor's time of a script counts, however many calls of other threads lie between")
    func processorTime() throws {
        let (wall, processor) = (ManualTime(), ManualTime())
        let engine = try ScriptEngine(
            budget: ScriptBudget(seconds: 0.1), census: ScriptCensus(), clock: wall.read, processorTime: processor.read)
        (wall.step, processor.step) = (30_000_000, 60_000_000)
        #expect(throwing { try engine.evaluate("for (;;) ;", name: "t.js") }?.reason == .timeExceeded)
        // The hard limit would have been reached after 37 looks.
        #expect(wall.reads < 20)
    }

    @Test("A call that ends before anybody looks at its budget does not read the processor's time")
    func cheapCall() throws {
        let processor = ManualTime()
        let engine = try ScriptEngine(
            budget: ScriptBudget(seconds: 0.1), census: ScriptCensus(), processorTime: processor.read)
        let before = processor.reads
        #expect(try engine.evaluate("[1, 2, 3].map((one) => one + 1).length", name: "t.js") == .number(3))
        #expect(processor.reads == before)
        _ = try engine.evaluate("for (let i = 0; i < 5000; i++) ;", name: "t.js")
        #expect(processor.reads > before)
    }

    @Test(
        "Calls that share a budget are stopped when it is used up, and the next call has its own",
        arguments: [true, false])
    func sharedBudget(canStop: Bool) throws {
        let processor = ManualTime()
        let engine = try ScriptEngine(
            budget: ScriptBudget(seconds: 0.1), census: ScriptCensus(), clock: processor.read,
            processorTime: processor.read, canStop: canStop && ScriptEngine.canStopScripts)
        // Each look takes 5 ms, so four loops of some looks each fit into a budget, and twenty do not.
        processor.step = 2_500_000
        let work = "(() => { let s = 0; for (let i = 0; i < 100; i++) s += 1; return s; })()"
        for _ in 0..<20 { try engine.evaluate(work, name: "t.js") }
        var calls = 0
        let error = throwing {
            try engine.sharingBudget { () throws(ScriptError) in
                for _ in 0..<20 {
                    try engine.evaluate(work, name: "t.js")
                    calls += 1
                }
            }
        }
        #expect(error?.reason == .timeExceeded)
        #expect((1..<20).contains(calls))
        #expect(try engine.evaluate(work, name: "t.js") == .number(100))
        engine.close()
    }

    @Test("Guards stop scripts long before the engine's own limit is reached")
    func engineLimitRests() throws {
        let engine = try ScriptEngine(budget: ScriptBudget(seconds: 0.02))
        for _ in 0..<100 {
            #expect(throwing { try engine.run("for (;;) ;", name: "t.js") }?.reason == .timeExceeded)
        }
        #expect(engine.engineTicks == 0)
    }

    @Test("A loop that has no guards is stopped by the engine's own limit")
    func engineLimit() throws {
        let engine = try ScriptEngine(budget: ScriptBudget(seconds: 0.02))
        for _ in 0..<2 {
            let error = throwing { try engine.runAsItIs("for (;;) ;", name: "t.js", seconds: 0.02, isOwn: false) }
            #expect(error?.reason == .timeExceeded)
            #expect(try engine.evaluate("1 + 1", name: "t.js") == .number(2))
        }
        #expect(engine.engineTicks > 0)
    }

    @Test("A script that keeps too much memory is stopped, and its engine is unusable")
    func keptMemory() throws {
        let engine = try ScriptEngine(budget: ScriptBudget(seconds: 60, megabytes: 24))
        let error = throwing {
            try engine.evaluate("globalThis.all = []; for (;;) all.push({ a: 1, b: 2, c: 3 });", name: "t.js")
        }
        #expect(error?.reason == .memoryExceeded)
        #expect(engine.state == .exhausted)
        #expect(throwing { try engine.evaluate("1", name: "t.js") }?.reason == .unusable)
    }

    @Test("Short calls that together keep too much memory make the engine unusable")
    func growingMemory() throws {
        let engine = try ScriptEngine(budget: ScriptBudget(seconds: 60, megabytes: 24))
        let grow = try engine.function(
            "(function () { (globalThis.all ??= []).push(new Uint8Array(65536).fill(1)); })", name: "t.js")
        var calls = 0
        while engine.state == .ready, calls < 4096 {
            // The time that calls take decides in which call the memory is looked at.
            do throws(ScriptError) {
                try engine.call(grow)
            } catch {
                #expect(error.reason == .memoryExceeded)
            }
            calls += 1
        }
        #expect(engine.state == .exhausted)
        #expect(calls < 4096)
    }

    @Test("Memory of the app does not count against scripts")
    func appMemory() throws {
        let figure = ManualFigure()
        let engine = try ScriptEngine(
            budget: ScriptBudget(seconds: 60, megabytes: 24), census: ScriptCensus(), privateBytes: figure.read)
        figure.value = 4 << 30
        try engine.evaluate("1", name: "t.js")
        #expect(engine.state == .ready)
        #expect(figure.reads > 1)
    }

    @Test(
        "Deep recursion is an error of the script, and the engine runs the next script",
        arguments: [
            "(function f() { return f() + 1; })()",
            "let a = []; for (let i = 0; i < 200000; i++) a = [a]; JSON.stringify(a)",
        ])
    func recursion(source: String) throws {
        let engine = try ScriptEngine(budget: ScriptBudget(seconds: 60, megabytes: 1024))
        #expect(throwing { try engine.evaluate(source, name: "t.js") }?.message.contains("RangeError") == true)
        #expect(try engine.evaluate("1", name: "t.js") == .number(1))
    }

    @Test("An engine leaves the process's handlers of memory faults alone")
    func signalHandlers() async {
        await #expect(processExitsWith: .success) {
            for signal in [SIGSEGV, SIGBUS] { _ = Glibc.signal(signal, SIG_DFL) }
            _ = try ScriptEngine().evaluate("[1, 2].map(n => n + 1)", name: "t.js")
            #expect(EngineOptions.applied)
            for signal in [SIGSEGV, SIGBUS] {
                var action = sigaction()
                sigaction(signal, nil, &action)
                #expect(action.__sigaction_handler.sa_handler == nil)
            }
        }
    }

    @Test("Scripts run and are stopped in a process that may not make memory executable")
    func deniedMemory() async {
        await #expect(processExitsWith: .success) {
            // `prctl` takes any number of arguments, which Swift cannot call by name.
            typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
            let address = try #require(dlsym(nil, "prctl"))
            let denyExecutableMemory: Int32 = 65
            guard unsafeBitCast(address, to: Control.self)(denyExecutableMemory, 1, 0, 0, 0) == 0 else { return }
            let engine = try ScriptEngine(budget: ScriptBudget(seconds: 0.05))
            #expect(try engine.evaluate("[1, 2].map(n => n + 1).join()", name: "t.js") == .string("2,3"))
            #expect(throwing { try engine.evaluate("for (;;) ;", name: "t.js") }?.reason == .timeExceeded)
        }
    }

    @Test("An engine in a process that used JavaScript before changes no settings, and runs scripts")
    func foreignEngine() async {
        await #expect(processExitsWith: .success) {
            let other = JSGlobalContextCreate(nil)
            let engine = try ScriptEngine()
            #expect(!EngineOptions.applied)
            #expect(!ScriptEngine.canStopScripts)
            #expect(try engine.evaluate("1 + 1", name: "t.js") == .number(2))
            JSGlobalContextRelease(other)
        }
    }

    @Test("The list of memory mappings says whether an address is writable")
    func mappings() {
        let maps = """
            7fd7d80e7000-7fd7d80ef000 rw-p 00000000 00:00 0 
            7fd7d80ef000-7fd7d80f3000 r--p 00000000 00:00 0 
            """
        #expect(EngineOptions.isWritable(0x7fd7_d80e_7000, maps: maps))
        #expect(!EngineOptions.isWritable(0x7fd7_d80e_f000, maps: maps))
        #expect(!EngineOptions.isWritable(0x7fd7_d80f_3000, maps: maps))
        #expect(!EngineOptions.isWritable(1, maps: "nonsense\n-\n"))
    }
}

/// A clock that a test moves; each look takes `step` nanoseconds.
private final class ManualTime {
    var step: UInt64 = 0
    private(set) var reads = 0
    private var now: UInt64 = 1_000

    func read() -> UInt64 {
        reads += 1
        now += step
        return now
    }
}

/// A figure that a test sets.
private final class ManualFigure {
    var value = 0
    private(set) var reads = 0

    func read() -> Int? {
        reads += 1
        return value
    }
}
#endif

/// The rule that tells the app's growth from a script's.
@Suite struct MemoryWatchTests {
    private let megabyte = 1 << 20

    @Test("Memory is looked at when the process has grown by more than the budget")
    func growth() {
        var watch = MemoryWatch(budget: ScriptBudget(megabytes: 10), resident: 100 * megabyte)
        let answers = [110, 111].map { watch.isSuspicious(resident: $0 * megabyte) }
        #expect(answers == [false, true])
    }

    @Test("Scripts are guilty only when their heap is beyond the budget")
    func heap() {
        var watch = MemoryWatch(budget: ScriptBudget(megabytes: 10), resident: 0)
        let verdicts = [11, 4].map { watch.isGuilty(resident: 50 * megabyte, heap: $0 * megabyte) }
        #expect(verdicts == [true, false])
        let answers = [56, 57].map { watch.isSuspicious(resident: $0 * megabyte) }
        #expect(answers == [false, true])
    }

    @Test("When the process shrinks, its growth counts from the lower size")
    func shrinking() {
        var watch = MemoryWatch(budget: ScriptBudget(megabytes: 10), resident: 100 * megabyte)
        let answers = [20, 30, 31].map { watch.isSuspicious(resident: $0 * megabyte) }
        #expect(answers == [false, false, true])
    }

    @Test("The private pages of a process are its resident pages without the shared ones")
    func privatePages() {
        #expect(ProcessMemory.privatePages(statm: "5000 1200 300 10 0 400 0\n".utf8) == 900)
        #expect(ProcessMemory.privatePages(statm: "5000".utf8) == nil)
    }
}
