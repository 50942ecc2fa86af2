import Foundation
import Testing

@_spi(OwnScripts) @testable import TributaryScript

#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)
/// Engines without a limit of their own, so that a script runs on a thread that can be given up.
@Suite struct ScriptThreadTests {
    private func engine(seconds: Double = 60) throws -> ScriptEngine {
        try ScriptEngine(budget: ScriptBudget(seconds: seconds), census: ScriptCensus(), canStop: false)
    }

    @Test("Functions of the app are called on the caller's thread")
    func callersThread() throws {
        let engine = try engine()
        let caller = Thread.current
        var lines: [String] = []
        engine.console = { _, line in lines.append(line) }
        try engine.expose("twice") { arguments in
            #expect(Thread.current === caller)
            return .number((arguments.first?.number ?? 0) * 2)
        }
        #expect(try engine.evaluate("console.log('hello'); twice(21)", name: "t.js") == .number(42))
        #expect(lines == ["hello"])
        let error = #expect(throws: ScriptError.self) { try engine.run("\nmissing()", name: "t.js") }
        #expect(error?.line == 2)
        engine.close()
        #expect(engine.state == .closed)
    }

    @Test("A function of the app may use the engine that calls the function")
    func nestedCalls() throws {
        let engine = try engine()
        try engine.expose("inner") { arguments in try engine.evaluate(arguments.first?.text ?? "", name: "inner.js") }
        try engine.expose("fails") { _ in throw ScriptError(.badValue, "refused") }
        #expect(try engine.evaluate("inner('inner(\"1 + 1\")') + 1", name: "t.js") == .number(3))
        #expect(try engine.evaluate("try { fails() } catch (e) { e.message }", name: "t.js") == .string("refused"))
        engine.close()
    }

    @Test("An endless script is stopped, and its thread runs the next script")
    func stopped() throws {
        let engine = try engine(seconds: 0.02)
        let error = #expect(throws: ScriptError.self) { try engine.run("for (;;);", name: "t.js") }
        #expect(error?.reason == .timeExceeded)
        #expect(engine.state == .ready)
        #expect(try engine.evaluate("1 + 1", name: "t.js") == .number(2))
        engine.close()
    }

    @Test("A script without guards is given up, and its engine calls no function of the app any more")
    func abandoned() throws {
        let engine = try engine(seconds: 0.02)
        var calls = 0
        try engine.expose("ask") { _ in
            calls += 1
            return .undefined
        }
        // The script ends when its call is refused, so that the test leaves no busy thread behind.
        let error = #expect(throws: ScriptError.self) {
            try engine.runAsItIs("for (;;) ask()", name: "t.js", seconds: 0.02)
        }
        #expect(error?.reason == .timeExceeded)
        #expect(engine.state == .abandoned)
        let before = calls
        #expect(throws: ScriptError.self) { try engine.run("ask()", name: "t.js") }
        #expect(throws: ScriptError.self) { try engine.expose("more") { _ in .null } }
        engine.close()
        #expect(engine.state == .abandoned)
        #expect(calls == before)
    }

    @Test("A thread is given up when it has worked too long, or when it waits longer than the caller can")
    func patience() {
        func run(_ patience: ScriptThread.Patience, _ job: @escaping (ScriptThread) -> Void) -> Bool {
            let thread = ScriptThread {}
            defer { thread.end() }
            return thread.run(patience) { job(thread) }
        }
        // Like a thread that waits for a processor.
        let waits: (ScriptThread) -> Void = { _ in _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.3) }
        #expect(run(ScriptThread.Patience(least: 0.001, working: 0.2, most: 600), waits))
        #expect(!run(ScriptThread.Patience(least: 0.001, working: 600, most: 0.1), waits))
        let works: (ScriptThread) -> Void = { thread in while !thread.isGivenUp {} }
        #expect(!run(ScriptThread.Patience(least: 0.001, working: 0.01, most: 600), works))
    }

    /// The time may be over before a call, during its answer, or between two calls.
    @Test("A thread that was given up ends, whenever its time is over")
    func threadEnds() async {
        for round in 0..<200 {
            await withCheckedContinuation { released in
                let thread = ScriptThread { released.resume() }
                // Asks until it gets no answer; from the first answer on, the time is over.
                let seconds = Double(round) * 5e-7
                let patience = ScriptThread.Patience(least: seconds, working: 0, most: seconds)
                let isDone = thread.run(patience) { while thread.askCaller({}) {} }
                #expect(!isDone)
            }
        }
    }

    @Test("An endless loop without guards and calls is given up, and another engine works")
    func givenUp() async {
        // The loop runs in a process of its own, whose end also ends the loop.
        await #expect(processExitsWith: .success) {
            let engine = try ScriptEngine(
                budget: ScriptBudget(seconds: 0.02), census: ScriptCensus(), canStop: false)
            let error = #expect(throws: ScriptError.self) {
                try engine.runAsItIs("for (;;);", name: "t.js", seconds: 0.02)
            }
            #expect(error?.reason == .timeExceeded)
            let other = try ScriptEngine()
            #expect(try other.evaluate("1 + 1", name: "t.js") == .number(2))
        }
    }

    @Test("Released engines with threads leave nothing behind")
    func released() async throws {
        let census = ScriptCensus()
        for _ in 0..<20 {
            let engine = try ScriptEngine(budget: ScriptBudget(), census: census, canStop: false)
            _ = try engine.evaluate("[1, 2].length", name: "t.js")
        }
        #expect(census.alive == 0)
    }
}

/// Engines give the memory that they took back to the system.
@Suite struct ScriptCensusTests {
    /// How many engines there are; 1,000 of them by hand.
    private static let engines =
        ProcessInfo.processInfo.environment["TRIBUTARY_ENGINES"].flatMap { Int($0) } ?? 200
    /// The number of engines after which the allocator's own memory no longer grows.
    private static let warmUp = 100

    @Test("Many closed engines leave no memory behind")
    func manyEngines() async {
        await #expect(processExitsWith: .success) { [engines = Self.engines as Int, warmUp = Self.warmUp as Int] in
            let census = ScriptCensus()
            var marks: [Int] = []
            for round in 1...max(engines, warmUp + 1) {
                let engine = try ScriptEngine(budget: ScriptBudget(seconds: 60), census: census)
                try engine.expose("host") { arguments in arguments.first ?? .null }
                let function = try engine.function("(text => { globalThis.kept = host(text); })", name: "t.js")
                try engine.call(function, [.string(String(repeating: "x", count: 1000))])
                #expect(census.alive > 0)
                engine.close()
                if round == warmUp { marks.append(ProcessMemory.privateBytes() ?? 0) }
            }
            marks.append(ProcessMemory.privateBytes() ?? 0)
            #expect(census.alive == 0)
            // Each engine that stayed would hold 700 KB and more.
            #expect(marks[1] - marks[0] < max((engines - warmUp) << 18, 20 << 20))
        }
    }
}
#endif
