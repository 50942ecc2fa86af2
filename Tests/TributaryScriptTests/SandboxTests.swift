import Testing

@testable import TributaryScript

/// The limits of the sandbox: absent globals, and shared objects that scripts cannot change.
@Suite struct SandboxTests {
    let engine: ScriptEngine

    init() throws { engine = try ScriptEngine() }

    @Test(
        "A script has no globals that could leave the sandbox",
        arguments: [
            "eval", "WebAssembly", "Atomics", "WeakRef", "FinalizationRegistry", "SharedArrayBuffer",
            "ShadowRealm", "queueMicrotask", "setTimeout", "fetch", "require", "__console",
        ])
    func globals(name: String) throws {
        #expect(try engine.evaluate("typeof \(name)", name: "t.js") == .string("undefined"))
        #expect(try engine.evaluate("'\(name)' in globalThis", name: "t.js") == .bool(false))
    }

    @Test("Function is there for comparisons, and makes no code")
    func function() throws {
        let source = """
            JSON.stringify([
                (() => 1) instanceof Function, ({}) instanceof Function, typeof Function, Function.prototype.call === (() => 1).call,
                Function("return this")() === globalThis, new Function("return this")() === globalThis,
                ["return 1", "a", "return this;1"].map((text) => { try { return Function(text)() } catch (e) { return e.name } }),
                (() => { try { return Function("a", "return a") } catch (e) { return e.message } })(),
            ])
            """
        let made = "Function makes code of a text, and text cannot become code"
        #expect(
            try engine.evaluate(source, name: "t.js")
                == .string(
                    #"[true,false,"function",true,true,true,["TypeError","TypeError","TypeError"],"\#(made)"]"#))
    }

    @Test(
        "A function has no constructor that makes functions from texts",
        arguments: ["function () {}", "function* () {}", "class {}", "() => 1"])
    func hiddenConstructors(function: String) throws {
        #expect(try engine.evaluate("typeof (\(function)).constructor", name: "t.js") == .string("undefined"))
        let source = "Object.getPrototypeOf(\(function)).constructor = 1; typeof (\(function)).constructor"
        #expect(try engine.evaluate(source, name: "t.js") == .string("undefined"))
    }

    @Test(
        "A script cannot change the shared built-in objects",
        arguments: [
            "Object.prototype.toJSON = () => 1; JSON.stringify({ a: 1 })",
            "Array.prototype.toJSON = () => 1; JSON.stringify({ a: 1 })",
            "JSON.stringify = () => 1; JSON.stringify({ a: 1 })",
            "JSON = null; Object = null; JSON.parse = 1; Object.keys; JSON.stringify({ a: 1 })",
            "let Map = 1; class Set {}; JSON.stringify({ a: Map })",
            "Object.keys = null; Array.prototype.map = null; JSON.stringify({ a: [1].map(x => x)[0] })",
        ])
    func sharedObjects(source: String) throws {
        #expect(try engine.evaluate(source, name: "t.js") == .string(#"{"a":1}"#))
    }

    @Test("Classes of functions and prototypes work although built-in objects are frozen")
    func oldClasses() throws {
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

    @Test("Scripts may extend frozen built-in classes")
    func subclasses() throws {
        let source = """
            "use strict";
            class Stack extends Array { peek() { return this[this.length - 1]; } }
            class Oops extends Error { constructor(m) { super(m); this.name = "Oops"; } }
            const stack = new Stack(); stack.push(1, 2); stack.peek() + " " + new Oops("x")
            """
        #expect(try engine.evaluate(source, name: "t.js") == .string("2 Oops: x"))
    }
}

/// Modules are not offered; the words that belong to them are names like others elsewhere.
@Suite struct ModuleTests {
    @Test(
        "An import is an error with its line, and nothing of the script runs",
        arguments: [
            "import('x')", "import 'x'", "import x from 'y'", "let a = () => import('x')", "`${import('x')}`",
        ])
    func imports(source: String) throws {
        let engine = try ScriptEngine()
        let error = throwing { try engine.run("ran = 1;\n\n" + source, name: "b.js", line: 5) }
        #expect(error?.description == "b.js:7: import is not offered to scripts")
        #expect(try engine.evaluate("typeof ran", name: "t.js") == .string("undefined"))
    }

    @Test(
        "The word import in texts, comments and names is accepted",
        arguments: [
            "'import'", "`import`", "// import 'x'", "/import/.test('')", "({ import: 1 }).import",
            "({ import() { } })",
            "(class { import() { } })", "({ }).import?.(1)",
        ])
    func importWords(source: String) throws {
        try ScriptEngine().run(source, name: "b.js")
    }
}
