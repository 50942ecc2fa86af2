import Testing

@testable import TributaryScript

/// What scripts cannot reach, and what they cannot take from each other.
@Suite struct SandboxTests {
    let engine: ScriptEngine

    init() throws { engine = try ScriptEngine() }

    @Test(arguments: [
        "eval", "Function", "WebAssembly", "Atomics", "WeakRef", "FinalizationRegistry", "SharedArrayBuffer",
        "ShadowRealm", "queueMicrotask", "setTimeout", "fetch", "require", "__console",
    ])
    func globalIsAbsent(name: String) throws {
        #expect(try engine.evaluate("typeof \(name)", name: "t.js") == .string("undefined"))
        #expect(try engine.evaluate("'\(name)' in globalThis", name: "t.js") == .bool(false))
    }

    @Test func promisesAreAbsent() throws {
        #expect(try engine.evaluate("typeof globalThis['Pro' + 'mise']", name: "t.js") == .string("undefined"))
        #expect(try engine.evaluate("typeof Array.fromAsync", name: "t.js") == .string("undefined"))
    }

    @Test(arguments: ["function () {}", "function* () {}", "class {}", "() => 1"])
    func hiddenConstructorIsAbsent(function: String) throws {
        #expect(try engine.evaluate("typeof (\(function)).constructor", name: "t.js") == .string("undefined"))
        let source = "Object.getPrototypeOf(\(function)).constructor = 1; typeof (\(function)).constructor"
        #expect(try engine.evaluate(source, name: "t.js") == .string("undefined"))
    }

    @Test(arguments: [
        "Object.prototype.toJSON = () => 1; JSON.stringify({ a: 1 })",
        "Array.prototype.toJSON = () => 1; JSON.stringify({ a: 1 })",
        "JSON.stringify = () => 1; JSON.stringify({ a: 1 })",
        "JSON = null; Object = null; JSON.parse = 1; Object.keys; JSON.stringify({ a: 1 })",
        "let Map = 1; class Set {}; JSON.stringify({ a: Map })",
        "Object.keys = null; Array.prototype.map = null; JSON.stringify({ a: [1].map(x => x)[0] })",
    ])
    func sharedObjectsStayAsTheyAre(source: String) throws {
        #expect(try engine.evaluate(source, name: "t.js") == .string(#"{"a":1}"#))
    }

    @Test func classesOfTheOldStyleStillWork() throws {
        let source = """
            "use strict";
            function Animal() {}
            Animal.prototype.toString = function () { return "animal"; };
            function Cat() {}
            Cat.prototype = Object.create(Animal.prototype);
            Cat.prototype.constructor = Cat;
            String(new Cat()) + " " + new Cat().constructor.name
            """
        #expect(try engine.evaluate(source, name: "t.js") == .string("animal Cat"))
    }

    @Test func classesMayExtendWhatIsFrozen() throws {
        let source = """
            "use strict";
            class Stack extends Array { peek() { return this[this.length - 1]; } }
            class Oops extends Error { constructor(m) { super(m); this.name = "Oops"; } }
            const stack = new Stack(); stack.push(1, 2); stack.peek() + " " + new Oops("x")
            """
        #expect(try engine.evaluate(source, name: "t.js") == .string("2 Oops: x"))
    }
}

/// Which scripts are refused because of asynchronous code, and which only look like it.
@Suite struct AsyncScanTests {
    @Test(arguments: [
        "async function f() {}", "async () => 1", "async x => 1", "let a = { async b() {} }",
        "let a = { async *b() {} }", "class A { async b() {} }", "class A { async ['b']() {} }",
        "class A { async #b() {} }", "class A { async 'b'() {} }", "[...async x => 1]", "async /* c */ function f() {}",
        "async\u{A0}function f() {}", "\u{2028}async function f() {}", "// it's\u{2028}async function f() {}",
        "for await (const a of b) {}", "await 1", "import('x')", "import 'x'",
        "let s = `${async () => 1}`", "let s = `${`${async () => 1}`}`", "let s = `a}${{ a: 1 }.a}` + async(1)",
        "if (a) /'/.test(b); async () => 1; '", "a = b / c; async () => 1; d / e", "x = a[0] / 2; async () => 1; '/'",
        "let a = { b: 1 }\n/'/.test(''); async () => 1; '", "a++ / 2; async () => 1; /x/", "<!-- '\nasync () => 1",
        "x\n--> '\nasync () => 1", "#!'\nasync () => 1", "'\\'' + async(1)", "/[/']/; async () => 1; '",
        "yield / async(1) / 2", "of / async(1) / 2",
    ])
    func asynchronousCodeIsRefused(source: String) {
        #expect(AsyncScan.refusal(of: source, name: "b.js", firstLine: 1)?.reason == .refused)
    }

    @Test(arguments: [
        "'async function'", "\"await\"", "`Promise`", "`\\`${1}async () => 1`", "// async function\n1",
        "/* await Promise */ 1", "/async () => \\/ await/.test(a)", "/[/]async (/", "a.async(1)", "a?.await",
        "a.Promise",
        "a.import(1)", "let o = { async: true, await: 1, Promise: 2, import: 3 }", "let async = 1; async = 2",
        "typeof Promise",
        "function later(P) { return new (P || Promise)(function () {}) }",
        "let o = { async }", "asyncly(); Promised; awaits; imported", "if (a) /async x/.test(b)",
        "return /async x/", "let x = a / b; // async x\n c / d", "`${`async x`}`", "`${{ a: 'async x' }.a}`",
    ])
    func wordsThatMeanNothingAreLetThrough(source: String) {
        #expect(AsyncScan.refusal(of: source, name: "b.js", firstLine: 1) == nil)
    }

    @Test func refusalTellsThePlace() throws {
        let engine = try ScriptEngine()
        let error = throwing { try engine.evaluate("ran = 1;\n\nasync () => 1;", name: "b.js", line: 5) }
        #expect(error?.description == "b.js:7: async is not offered to scripts")
        #expect(try engine.evaluate("typeof ran", name: "t.js") == .string("undefined"))
    }

    @Test(arguments: ["`", "'", "/", "/*", "${", "}", "async", "#", "\\", "`${", "`${}", "a\\"])
    func textThatEndsEarlyEndsTheScan(source: String) {
        _ = AsyncScan.refusal(of: "await: 1;" + source, name: "b.js", firstLine: 1)
        #expect(AsyncScan.refusal(of: source, name: "b.js", firstLine: 1) == nil)
    }
}
