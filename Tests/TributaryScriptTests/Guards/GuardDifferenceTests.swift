import Foundation
import Testing

@_spi(OwnScripts) @testable import TributaryScript

#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)
/// Scripts have the same outcome with and without guards.
@Suite struct GuardDifferenceTests {
    /// The number of programs that share an engine.
    private static let share: UInt64 = 100

    @Test(
        "Generated programs have the same outcome with and without guards",
        arguments: Array(stride(from: UInt64(0), to: 2000, by: 100)))
    func generated(first: UInt64) throws {
        let engines = try (0..<2).map { _ in try Self.engine() }
        for seed in first..<(first + Self.share) {
            let program = ProgramGenerator.program(seed: seed)
            let plain = try outcome(in: engines[0]) {
                try engines[0].runAsItIs(program, name: "p.js", seconds: 60, isOwn: false)
            }
            let guarded = try outcome(in: engines[1]) { try engines[1].run(program, name: "p.js") }
            #expect(plain == guarded, "seed \(seed)")
            #expect(engines[1].unguardedScripts.isEmpty, "seed \(seed)")
        }
    }

    @Test(
        "Hand-written programs have the same outcome with and without guards",
        arguments: [
            // Names, lengths and texts of functions.
            "log([class { x = () => 1; static y = function () { } }].map(C => [new C().x.name, C.y.name]))",
            "log(((a, b = 1, ...c) => a).length + (function (a, b) { while (a) ; }).length)",
            "log(String(function f(a) { 'use strict'; while (a) { for (;;) break } return x => x }))",
            "log(String(class A { x = new Object; static { for (const k of []) ; } }))",
            "log(String(function () { while (1) ; while (true) ; for (;;) ; for (;1;) ; for (const x of []) ; do ; while (0) }))",
            "with ({}) { log(String(function () { while (1) ; for (;;) ; for (;1;) ; for (const x of []) ; })) }",
            // Strict code stays strict, sloppy code sloppy.
            "log((function () { 'use strict'; return this === undefined })() + '' + (function () { return this === undefined })())",
            "log((function (a) { arguments[0] = 2; return a })(1) + (function (a) { 'use strict'; arguments[0] = 2; return a })(1))",
            // A tail call stays one.
            "'use strict'; fuel = 1; log((function f(n) { 'use strict'; return n === 0 ? 'done' : f(n - 1) })(50000))",
            // Labels, jumps and values of loops.
            "a: for (const x of [1, 2]) { b: for (const y of [1, 2]) { if (y === 2) continue a; log(x + '' + y) } }",
            "for (const x of [1]) if (x) log('then'); else log('else')",
            "if (0) for (const x of [1]) log('never'); else log('outer else')",
            "with ({ a: 5, fuel: 1 }) { let n = 0; while (n++ < a) ; log(n) }",
            "with (new Proxy({}, { has: (t, k) => typeof k === 'string' && k.startsWith('__') })) { for (const x of [1]) { globalThis.seen = x } } log(seen)",
            // Errors and their places.
            "\n\nfunction f() { for (;;) { null.x } }\n  f()",
            "const g = () => missing.y; for (const x of [1]) g()",
            "class A { x = null.y }\nnew A",
            "for (const x of 5) ;",
            "let \u{1F600} = 1",
            "while (",
            "function f() { return f() + 1 } try { f() } catch (e) { log(e.message) }",
        ])
    func written(program: String) throws {
        let engines = try (0..<2).map { _ in try Self.engine() }
        let plain = try outcome(in: engines[0]) {
            try engines[0].runAsItIs(program, name: "p.js", seconds: 60, isOwn: false)
        }
        let guarded = try outcome(in: engines[1]) { try engines[1].run(program, name: "p.js") }
        #expect(plain == guarded)
        #expect(engines[1].unguardedScripts.isEmpty)
    }

    /// The scripts of the guides, with a runtime that gives each plugin one event of each type.
    @Test("Examples of the guides have the same outcome with and without guards")
    func documented() throws {
        let examples = try Self.examples()
        #expect(examples.count >= 10)
        for example in examples {
            let engines = try (0..<2).map { _ in try Self.engine() }
            for engine in engines { try engine.run(Self.runtime, name: "runtime.js") }
            let plain = try outcome(in: engines[0]) {
                try engines[0].runAsItIs(example, name: "p.js", seconds: 60, isOwn: false)
                try engines[0].run("finish()", name: "finish.js")
            }
            let guarded = try outcome(in: engines[1]) {
                try engines[1].run(example, name: "p.js")
                try engines[1].run("finish()", name: "finish.js")
            }
            #expect(plain == guarded, "\(example)")
            #expect(engines[1].unguardedScripts.isEmpty, "\(example)")
        }
    }

    private static func examples() throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
        let guides = root.appendingPathComponent("docs/guides")
        var examples: [String] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: guides.path).sorted()
        where file.hasSuffix(".md") {
            let text = try String(contentsOf: guides.appendingPathComponent(file), encoding: .utf8)
            let parts = text.components(separatedBy: "\n```js").dropFirst().filter { !$0.hasPrefix("on") }
            examples += parts.compactMap { part in
                guard let start = part.firstIndex(of: "\n"), let end = part.range(of: "\n```") else { return nil }
                return start < end.lowerBound ? String(part[start..<end.lowerBound]) : nil
            }
        }
        return examples.filter { !$0.contains("import ") }
    }

    private static let runtime = """
        const LivePluginType = { before: "before", enrichment: "enrichment", after: "after", utility: "utility" }
        const UpdateType = { initial: true, refresh: false }
        class LivePlugin {
            update() { } reset() { } flush() { }
            process(event) { return this[event.type](event) }
            track(event) { return event } identify(event) { return event } screen(event) { return event }
            group(event) { return event } alias(event) { return event }
        }
        class Analytics { }
        for (const name of ["track", "identify", "screen", "group", "alias"]) {
            Analytics.prototype[name] = function (...values) { log(name + JSON.stringify(values)) }
        }
        const plugins = []
        Analytics.prototype.add = plugin => plugins.push(plugin)
        const analytics = new Analytics()
        const storage = { getValue() { }, setValue(key, value) { log(key + value) }, removeValue() { } }
        const types = ["track", "identify", "screen", "group", "alias"]
        function finish() {
            for (const plugin of plugins) {
                for (const type of types) {
                    for (const event of ["Debug", "Product Viewed", "Order Completed"]) {
                        const given = { type, event, context: { device: {} }, properties: { items: [1], total: 2 }, traits: {} }
                        try { log(JSON.stringify(plugin.process(given) ?? null)) } catch (error) { log(String(error)) }
                    }
                }
                try { plugin.update({ integrations: {} }, true); plugin.reset(); plugin.flush() } catch (error) { log(String(error)) }
            }
            if (typeof processSignal === "function") {
                try { log(String(processSignal({ type: "navigation", data: {} }))) } catch (error) { log(String(error)) }
            }
        }
        """

    private static func engine() throws -> ScriptEngine {
        let engine = try ScriptEngine(budget: ScriptBudget(seconds: 60, megabytes: 1024))
        try engine.run(ProgramGenerator.prelude, name: "prelude.js")
        return engine
    }

    /// What a program has logged, and with which error it ended, if with one.
    private func outcome(in engine: ScriptEngine, _ run: () throws -> Void) throws -> [String] {
        var error = "none"
        do { try run() } catch let thrown as ScriptError { error = "\(thrown) \(thrown.reason)\n\(thrown.stack ?? "")" }
        return [error, try engine.evaluate("JSON.stringify(out)", name: "out.js").text ?? ""]
    }
}
#endif
