import Foundation
import Testing

@testable import TributaryScript

#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)
/// Guards alone stop endless programs: the engine's own limit is off.
@Suite(.serialized) struct EndlessProgramTests {
    @Test("Guards stop each endless program, and the engine runs the next script", arguments: EndlessPrograms.all)
    func stopped(program: String) throws {
        let census = ScriptCensus()
        let engine = try ScriptEngine(budget: ScriptBudget(seconds: 0.05), census: census, canStop: false)
        let (start, used) = (MonotonicClock.nanoseconds(), clock())
        let error = #expect(throws: ScriptError.self) { try engine.evaluate(program, name: "t.js") }
        show(program, nanoseconds: MonotonicClock.nanoseconds() - start, ticks: clock() - used)
        let stopped: [ScriptError.Reason] = [.timeExceeded, .memoryExceeded]
        #expect(error.map { stopped.contains($0.reason) } == true)
        // A thread that was given up would leave an engine that cannot be used.
        #expect(engine.state != .abandoned)
        if engine.state == .ready { #expect(try engine.evaluate("1 + 1", name: "t.js") == .number(2)) }
        engine.close()
        #expect(census.alive == 0)
    }

    /// By hand: TRIBUTARY_SHOW_TIMES=1 writes how long each program took, and how much processor time the process used
    /// meanwhile. Run the suite alone for that, as in `swift test --filter EndlessProgramTests`.
    private func show(_ program: String, nanoseconds: UInt64, ticks: clock_t) {
        guard ProcessInfo.processInfo.environment["TRIBUTARY_SHOW_TIMES"] != nil else { return }
        let used = Int(ticks) * 1_000 / Int(CLOCKS_PER_SEC)
        print("took \(nanoseconds / 1_000_000) ms, used \(used) ms: \(program)")
    }

    @Test("There are at least sixty endless programs")
    func enoughPrograms() {
        #expect(Set(EndlessPrograms.all).count >= 60)
    }

    @Test("A script cannot read, change or hide the counter of the guards")
    func counter() throws {
        let engine = try ScriptEngine(budget: ScriptBudget(seconds: 0.05), census: ScriptCensus(), canStop: false)
        for attempt in ["__tributary_left = 1e9", "\\u005f_tributary_left", "var __tributary_look = 1"] {
            #expect(throws: ScriptError.self) { try engine.run(attempt, name: "t.js") }
        }
        try engine.run(
            """
            for (const name of ["left", "look", "take"]) {
                const full = "__" + "tributary_" + name;
                globalThis[full] = () => 1e9;
                Object.defineProperty(globalThis, full + "x", { get: () => 1e9, configurable: true });
            }
            try { Number.prototype["__" + "tributary_guard"] = () => false } catch { }
            """, name: "t.js")
        #expect(
            try engine.evaluate("String(function () { while (1) ; })", name: "t.js")
                == .string("function () { while (1) ; }"))
        for program in ["for (;;) ;", "with ({}) { for (;;) ; }", "(() => { for (;;) ; })()"] {
            #expect(throws: ScriptError.self) { try engine.run(program, name: "t.js") }
            #expect(engine.state == .ready)
        }
    }

    @Test("Guards stop a script that uses too much memory in one call")
    func memory() throws {
        let engine = try ScriptEngine(
            budget: ScriptBudget(seconds: 60, megabytes: 24), census: ScriptCensus(), canStop: false)
        let error = #expect(throws: ScriptError.self) {
            try engine.evaluate("const all = []; for (;;) all.push({ a: 1, b: 2, c: [1, 2, 3] })", name: "t.js")
        }
        #expect(error?.reason == .memoryExceeded)
        #expect(engine.state == .exhausted)
        engine.close()
    }

    @Test("A script that is too long for guards runs without guards, and the engine lists it")
    func withoutGuards() throws {
        let engine = try ScriptEngine(budget: ScriptBudget(seconds: 60))
        try engine.run(
            "/*" + String(repeating: " ", count: GuardInsertion.maximumBytes) + "*/ var here = 1", name: "long.js")
        #expect(try engine.evaluate("here", name: "t.js") == .number(1))
        #expect(engine.unguardedScripts.map(\.file) == ["long.js"])
        // A script that the engine refuses is not counted as unguarded.
        #expect(throws: ScriptError.self) { try engine.run("while (", name: "t.js") }
        #expect(engine.unguardedScripts.count == 1)
    }

    @Test("The error of a script with guards has the column of the author's text")
    func columns() throws {
        let engine = try ScriptEngine()
        let error = #expect(throws: ScriptError.self) {
            try engine.run("\nfor (const x of [1]) { (() => null.y)() }", name: "t.js")
        }
        #expect(error?.line == 2)
        #expect(error?.column == 35)
        #expect(error?.stack?.contains("t.js:2:35") == true)
    }
}
#endif
