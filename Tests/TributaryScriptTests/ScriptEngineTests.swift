import Foundation
import Testing

@testable import TributaryScript

/// Engines with good scripts, and with scripts that have mistakes.
@Suite struct ScriptEngineTests {
    let engine: ScriptEngine

    init() throws { engine = try ScriptEngine() }

    @Test("A script returns values of every kind")
    func results() throws {
        #expect(try engine.evaluate("1 + 1", name: "t.js") == .number(2))
        #expect(try engine.evaluate("'a' + 'b'", name: "t.js") == .string("ab"))
        #expect(try engine.evaluate("''", name: "t.js") == .string(""))
        #expect(try engine.evaluate("true", name: "t.js") == .bool(true))
        #expect(try engine.evaluate("null", name: "t.js") == .null)
        #expect(try engine.evaluate("undefined", name: "t.js") == .undefined)
        #expect(try engine.evaluate("({ b: [1, 'x'], a: null })", name: "t.js") == .json(#"{"b":[1,"x"],"a":null}"#))
        #expect(try engine.evaluate("(function () {})", name: "t.js") == .undefined)
        #expect(try engine.evaluate("Symbol('s')", name: "t.js") == .undefined)
    }

    @Test(arguments: [0, 5, -5, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1, .max, .min] as [Int64])
    func wholeNumbersAreExact(value: Int64) throws {
        let echo = try engine.function("(function (value) { return value; })", name: "t.js")
        let expected = value.magnitude > 1 << 53 ? ScriptValue.integer(value) : .number(Double(value))
        #expect(try engine.call(echo, [.integer(value)]) == expected)
        let text = try engine.function("(function (value) { return String(value); })", name: "t.js")
        #expect(try engine.call(text, [.integer(value)]) == .string(String(value)))
    }

    @Test func integerOfMoreThan64BitsIsAnError() throws {
        #expect(throwing { try engine.evaluate("2n ** 64n", name: "t.js") }?.reason == .badValue)
        #expect(try engine.evaluate("2n ** 62n", name: "t.js") == .integer(1 << 62))
    }

    @Test("A date is a date in scripts and as their result")
    func dates() throws {
        let date = Date(timeIntervalSince1970: 1_795_000_000.125)
        let echo = try engine.function("(function (value) { return value; })", name: "t.js")
        #expect(try engine.call(echo, [.date(date)]) == .date(date))
        let year = try engine.function("(function (value) { return value.getUTCFullYear(); })", name: "t.js")
        #expect(try engine.call(year, [.date(date)]) == .number(2026))
        #expect(try engine.evaluate("new Date(NaN)", name: "t.js") == .null)
    }

    @Test("An error is an error in scripts and as their result")
    func errors() throws {
        let value = try engine.evaluate("\nfunction make() { return new RangeError('far'); }\nmake()", name: "b.js")
        guard case .error(let error) = value else {
            Issue.record("\(value) is no error")
            return
        }
        #expect(error.message == "RangeError: far")
        #expect(error.file == "b.js")
        #expect(error.line == 2)
        #expect(error.stack?.contains("make") == true)
        let message = try engine.function("(function (e) { return e instanceof Error && e.message; })", name: "t.js")
        #expect(try engine.call(message, [.error(ScriptError(.badValue, "text"))]) == .string("text"))
    }

    @Test(
        "A text is the same in scripts and as their result",
        arguments: [
            "", "plain", "a\u{0}b\u{0}", "grüße", "日本語", "👩‍👩‍👧", "\u{2028}\u{FEFF}", "\"\\\n\t",
            String(repeating: "x", count: 70_000), String(repeating: "a\u{0}", count: 50),
            String(repeating: "x", count: 100) + "ü", "日" + String(repeating: "x", count: 100),
        ])
    func strings(text: String) throws {
        let echo = try engine.function("(function (value) { return value; })", name: "t.js")
        #expect(try engine.call(echo, [.string(text)]) == .string(text))
        let length = try engine.function("(function (value) { return value.length; })", name: "t.js")
        #expect(try engine.call(length, [.string(text)]) == .number(Double(text.utf16.count)))
    }

    @Test(arguments: [
        (#"'a\uD800b'"#, "a\u{FFFD}b"), (#"'\uDC00'"#, "\u{FFFD}"), (#"'ü\uD83D\uDE00\uD800x'"#, "ü😀\u{FFFD}x"),
    ])
    func loneSurrogateBecomesTheReplacementCharacter(source: String, text: String) throws {
        #expect(try engine.evaluate(source, name: "t.js") == .string(text))
    }

    @Test("A function of a script gets arguments of every kind")
    func arguments() throws {
        let describe = try engine.function(
            "(function (...values) { return values.map(v => v === null ? 'null' : typeof v).join(); })", name: "t.js")
        let values: [ScriptValue] = [.undefined, .null, .bool(true), .number(1.5), .string("s"), .json(#"{"a":1}"#)]
        #expect(try engine.call(describe, values) == .string("undefined,null,boolean,number,string,object"))
        let member = try engine.function("(function (value) { return value.a[1]; })", name: "t.js")
        #expect(try engine.call(member, [.json(#"{"a":[1,"second"]}"#)]) == .string("second"))
    }

    @Test("Malformed JSON and more than 32 arguments are refused")
    func badArguments() throws {
        let echo = try engine.function("(function (value) { return value; })", name: "t.js")
        #expect(throwing { try engine.call(echo, [.json("{")]) }?.reason == .badValue)
        #expect(throwing { try engine.call(echo, Array(repeating: .null, count: 33)) }?.reason == .badValue)
        #expect(try engine.call(echo, Array(repeating: .bool(true), count: 32)) == .bool(true))
    }

    @Test func globalFunctionIsCalledByName() throws {
        try engine.evaluate("function double(n) { return n * 2; }", name: "t.js")
        #expect(try engine.call("double", [.number(21)]) == .number(42))
        #expect(throwing { try engine.call("missing") }?.reason == .badValue)
        #expect(throwing { try engine.function("1", name: "t.js") }?.reason == .badValue)
    }

    @Test func functionOfAnotherEngineIsRefused() throws {
        let other = try ScriptEngine()
        let function = try other.function("(function () { return 1; })", name: "t.js")
        #expect(throwing { try engine.call(function) }?.reason == .badValue)
    }

    // MARK: Errors

    @Test("An exception has its file, its line and its message")
    func exceptions() throws {
        let error = throwing { try engine.evaluate("let a = 1;\n\nmissing();", name: "bundle.js", line: 10) }
        #expect(error?.reason == .exception)
        #expect(error?.message == "ReferenceError: Can't find variable: missing")
        #expect(error?.line == 12)
        #expect(error?.column != nil)
        #expect(error?.file == "bundle.js")
        #expect(error?.description.hasPrefix("bundle.js:12:") == true)
    }

    @Test("A syntax error has its line")
    func syntaxErrors() throws {
        let error = throwing { try engine.evaluate("let a = 1;\nlet b = ;\n", name: "bundle.js") }
        #expect(error?.reason == .exception)
        #expect(error?.message.hasPrefix("SyntaxError") == true)
        #expect(error?.line == 2)
    }

    @Test("An exception inside of a call has its line and a stack of functions")
    func stacks() throws {
        try engine.evaluate(
            "function inner() {\n  throw new TypeError('no');\n}\nfunction outer() { inner(); }", name: "b.js")
        let error = throwing { try engine.call("outer") }
        #expect(error?.message == "TypeError: no")
        #expect(error?.line == 2)
        #expect(error?.stack?.contains("inner") == true)
        #expect(error?.stack?.contains("outer") == true)
    }

    @Test("The message of a thrown value that is not an error is its text, with a limit")
    func thrownValues() throws {
        #expect(throwing { try engine.evaluate("throw 'text'", name: "t.js") }?.message == "text")
        #expect(throwing { try engine.evaluate("throw null", name: "t.js") }?.message == "null")
        #expect(throwing { try engine.evaluate("throw Symbol('s')", name: "t.js") }?.reason == .exception)
        #expect(
            throwing { try engine.evaluate("throw { toString() { throw 1; } }", name: "t.js") }?.message
                == "an exception without a text")
        #expect(throwing { try engine.evaluate("throw 'x'.repeat(100000)", name: "t.js") }?.message.count == 2000)
    }

    @Test("A result without a JSON form is an error when it is asked for")
    func cyclicResults() throws {
        #expect(throwing { try engine.evaluate("let a = {}; a.a = a; a", name: "t.js") }?.reason == .exception)
        try engine.run("let b = {}; b.b = b; b", name: "t.js")
    }

    @Test func engineStaysUsableAfterAnError() throws {
        _ = throwing { try engine.evaluate("throw 1", name: "t.js") }
        #expect(try engine.evaluate("2", name: "t.js") == .number(2))
        #expect(engine.state == .ready)
    }

    // MARK: Exposed functions

    @Test func exposedFunctionGetsArgumentsAndReturns() throws {
        var seen: [[ScriptValue]] = []
        try engine.expose("host") { arguments in
            seen.append(arguments)
            return .json(#"{"answer":[42]}"#)
        }
        let result = try engine.evaluate("host('a\\0ü', 1, null, undefined, true, { k: [1] }).answer[0]", name: "t.js")
        #expect(result == .number(42))
        #expect(seen == [[.string("a\u{0}ü"), .number(1), .null, .undefined, .bool(true), .json(#"{"k":[1]}"#)]])
    }

    @Test func errorOfAnExposedFunctionIsAnException() throws {
        try engine.expose("host") { _ in throw ScriptError(.badValue, "not today") }
        let result = try engine.evaluate(
            "try { host(); } catch (e) { (e instanceof Error) + ' ' + e.message }", name: "t.js")
        #expect(result == .string("true not today"))
        #expect(throwing { try engine.evaluate("host()", name: "t.js") }?.message == "Error: not today")
    }

    @Test func exposedFunctionMayUseTheEngine() throws {
        let engine = engine
        try engine.expose("host") { _ in try engine.evaluate("'inner'", name: "inner.js") }
        #expect(try engine.evaluate("host() + ' outer'", name: "t.js") == .string("inner outer"))
    }

    @Test func closingInsideOfACallTakesEffectAtItsEnd() throws {
        let census = ScriptCensus()
        let engine = try ScriptEngine(budget: ScriptBudget(), census: census)
        try engine.expose("host") { _ in
            engine.close()
            return .null
        }
        #expect(try engine.evaluate("host(); 'still here'", name: "t.js") == .string("still here"))
        #expect(engine.state == .closed)
        #expect(census.alive == 0)
        #expect(throwing { try engine.evaluate("1", name: "t.js") }?.reason == .unusable)
    }

    // MARK: Console

    @Test func consoleGetsEveryKindOfArgument() throws {
        var lines: [String] = []
        engine.console = { lines.append("\($0.rawValue): \($1)") }
        try engine.evaluate(
            """
            console.log('x', 1, true, null, undefined, { a: [1] }, [2], Symbol('s'), function named() {}, 10n);
            console.info('i'); console.warn('w'); console.error(new TypeError('no')); console.debug();
            let loop = {}; loop.loop = loop; console.log('loop', loop);
            console.log({ toJSON() { throw 1; } });
            """, name: "t.js")
        #expect(
            lines == [
                #"log: x 1 true null undefined {"a":[1]} [2] Symbol(s) function named 10"#, "info: i", "warn: w",
                "error: TypeError: no", "debug: ", "log: loop [unprintable]", "log: [unprintable]",
            ])
    }

    @Test func consoleLineIsBounded() throws {
        var line = ""
        engine.console = { line = $1 }
        try engine.evaluate("console.log('x'.repeat(100000), 'y')", name: "t.js")
        #expect(line.count == 8192)
        #expect(line.hasSuffix("x…"))
    }

    // MARK: Life

    @Test func closedAndReleasedEnginesLeaveNothingBehind() throws {
        let census = ScriptCensus()
        for round in 0..<20 {
            let engine = try ScriptEngine(budget: ScriptBudget(), census: census)
            try engine.expose("host") { _ in .number(Double(round)) }
            let function = try engine.function("(function () { return host(); })", name: "t.js")
            #expect(try engine.call(function) == .number(Double(round)))
            #expect(census.alive > 0)
            if round % 2 == 0 { engine.close() }
        }
        #expect(census.alive == 0)
    }

    @Test func enginesShareNothing() throws {
        let other = try ScriptEngine()
        try engine.evaluate("globalThis.mine = 1", name: "t.js")
        #expect(try other.evaluate("typeof mine", name: "t.js") == .string("undefined"))
    }
}

/// The error that a piece of code throws.
func throwing<Result>(_ body: () throws -> Result) -> ScriptError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? ScriptError
    }
}
