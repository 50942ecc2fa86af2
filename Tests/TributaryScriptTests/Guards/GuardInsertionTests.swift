import Foundation
import Testing

@testable import TributaryScript

/// The places of guards, and texts that get no guard.
@Suite struct GuardInsertionTests {
    /// The script with each guard as `§`.
    private func marked(_ source: String) throws -> String {
        var text = try GuardedSource(source).text
        for guarding in GuardText.all { text = text.replacingAll(guarding, with: "§") }
        return text
    }

    @Test(
        "Each loop gets a guard",
        arguments: [
            ("while (a) b()", "while (§a) b()"),
            ("do a(); while (b)", "do a(); while (§b)"),
            ("for (;;) a()", "for (;§;) a()"),
            ("for (let i = 0; i < 3; i++);", "for (let i = 0;§ i < 3; i++);"),
            ("for (const x of y) a()", "for (const x of y)§ a()"),
            ("for (x in y) { a() }", "for (x in y)§ { a() }"),
            ("if (a) for (x of y) b(); else c()", "if (a) for (x of y)§ b(); else c()"),
            ("for (var i = ('a' in b); i;) ;", "for (var i = ('a' in b);§ i;) ;"),
            ("for (async of => 1; a;) ;", "for (async of => §1;§ a;) ;"),
            ("a: for (;;) continue a", "a: for (;§;) continue a"),
        ])
    func loops(source: String, expected: String) throws {
        #expect(try marked(source) == expected)
    }

    @Test(
        "Async functions are counted, and others are not",
        arguments: [
            ("async function f() { }", true), ("(async function () { })", true), ("async () => { }", true),
            ("async x => y", true), ("({ async f() { } })", true), ("class A { static async *f() { } }", true),
            ("async function f() { for (;;) g() }", true), ("function f() { }", false), ("x => y", false),
            ("({ async() { } })", false), ("async(x => y)", false), ("var async\nfunction f() { }", false),
        ])
    func asyncFunctions(source: String, isCounted: Bool) throws {
        #expect(try GuardedSource(source).text.contains("++__tributary_waiting") == isCounted)
    }

    @Test("The functions inside of an async function are counted for themselves")
    func functionsInAsyncFunctions() throws {
        let text = try GuardedSource("async function f() { g(() => 1, async () => 2, function () { }) }").text
        #expect(text.components(separatedBy: "++__tributary_waiting").count == 3)
    }

    @Test(
        "Each function gets a guard behind its directives",
        arguments: [
            ("function f() { 'use strict'; a() }", "function f() { 'use strict';§ a() }"),
            ("function f() { 'use strict'\na() }", "function f() { 'use strict';§\na() }"),
            ("function f() { 'a'.length }", "function f() {§ 'a'.length }"),
            ("function f() { 'a'\n.length }", "function f() {§ 'a'\n.length }"),
            ("x => y", "x => §y"),
            ("x => ({ a: 1 })", "x => §({ a: 1 })"),
            ("x => { y }", "x => {§ y }"),
            ("a => b => c", "a => §b => §c"),
            (
                "({ get a() { }, b() { }, *c() { }, ['d']() { }, async: 1, get: 2 })",
                "({ get a() {§ }, b() {§ }, *c() {§ }, ['d']() {§ }, async: 1, get: 2 })"
            ),
            (
                "class A { static { } #a() { } static get b() { } get() { } static = 1 }",
                "class A { static {§ } #a() {§ } static get b() {§ } get() {§ } static = 1 }"
            ),
            ("class A { x = new A() }", "class A { x =§ new A() }"),
            (
                "class A { x = () => 1; y = function () { }; z = 5 }",
                "class A { x = () => §1; y = function () {§ }; z = 5 }"
            ),
            ("class A extends class { } { m() { } }", "class A extends class { } { m() {§ } }"),
            ("class A extends f({}) { m() { } }", "class A extends f({}) { m() {§ } }"),
            ("function* g(a = f()) { }", "function* g(a =§ f()) {§ }"),
        ])
    func functions(source: String, expected: String) throws {
        #expect(try marked(source) == expected)
    }

    @Test(
        "Loop keywords in texts, comments and names get no guard",
        arguments: [
            "'while (1) {'", "`for (;;) ${a} while (1)`", "/while (1) {/.test(a)", "// while (1)", "/* for (;;) */ a",
            "a / while_ / b", "({ while: 1, for: 2 })", "a.while(1)", "a?.for(1)", "x = {}\n/while(1)/g",
            "<!-- while (1)",
            "a\n--> while (1)", "#!while (1)", "if (a) /[/]while(1)/.test(b)", "`${`${'}'}`}`", "whil\\u0065_(1)",
        ])
    func noLoops(source: String) throws {
        #expect(try marked(source) == source)
    }

    @Test("A slash behind a brace is a division or an expression, depending on what the brace ends")
    func slashes() throws {
        #expect(try marked("{ }\n/while(1)/.test(a)") == "{ }\n/while(1)/.test(a)")
        #expect(try marked("x = { } / while_(1) / 2") == "x = { } / while_(1) / 2")
        #expect(try marked("function f() { } /while(1)/.test(a)") == "function f() {§ } /while(1)/.test(a)")
        #expect(try marked("x = function () { } / 2; while (1) ;") == "x = function () {§ } / 2; while (§1) ;")
        #expect(try marked("function* g() { yield /while(1)/ }") == "function* g() {§ yield /while(1)/ }")
        #expect(try marked("do ; while (0) /while(1)/.test(a)") == "do ; while (§0) /while(1)/.test(a)")
    }

    @Test("Guards add and remove no line break")
    func lines() throws {
        let source = "function f() {\r\n  while (\n a\u{2028}) ;\n}\n"
        let text = try GuardedSource(source).text
        #expect(text.unicodeScalars.filter { "\r\n\u{2028}".unicodeScalars.contains($0) }.count == 6)
    }

    @Test(
        "A script with a name that is reserved for guards is refused",
        arguments: [
            "__tributary_left = 1e9", "\\u005f_tributary_look()", "let \\u{5f}\\u{5F}tributary_turns", "___tributary_x",
        ])
    func reservedNames(source: String) {
        let error = #expect(throws: TokenError.self) { try GuardedSource(source) }
        #expect(error?.cause == .reservedName)
    }

    @Test(
        "The error of a script that cannot be read has a reason",
        arguments: [
            ("'a", TokenError.Cause.unterminatedString), ("`a", .unterminatedTemplate), ("/* a", .unterminatedComment),
            ("(", .unbalancedBrackets), (")", .unbalancedBrackets), ("{ ( }", .unbalancedBrackets),
            ("\u{1}", .unknownCharacter),
            ("x = /a", .unterminatedRegularExpression),
        ])
    func brokenScripts(source: String, cause: TokenError.Cause) {
        let error = #expect(throws: TokenError.self) { try GuardedSource(source) }
        #expect(error?.cause == cause)
    }

    @Test("A script of a million nested brackets is an error and not a crash")
    func deepNesting() {
        let source = String(repeating: "(", count: 1_000_000)
        let error = #expect(throws: TokenError.self) { try GuardedSource(source) }
        #expect(error?.cause == .nestedTooDeep)
    }

    @Test("Columns of the guarded text are mapped to those of the original")
    func columns() throws {
        let source = "var é = 1\nfor (const x of y) { while (😀()) z() }"
        let script = try GuardedSource(source, firstLine: 10)
        let lines = script.text.split(separator: "\n")
        for word in ["y)", "while", "z()"] {
            let rewritten = try #require(lines[1].firstColumn(of: word))
            let original = try #require(source.split(separator: "\n")[1].firstColumn(of: word))
            #expect(script.map.column(of: rewritten, line: 11) == original)
        }
        // A place in a guard is the place where the guard stands.
        let inside = try #require(lines[1].firstColumn(of: "__tributary"))
        #expect(script.map.column(of: inside, line: 11) == 19)
    }
}

extension String {
    fileprivate func replacingAll(_ text: String, with other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return String(self[..<range.lowerBound]) + other
            + String(self[range.upperBound...]).replacingAll(text, with: other)
    }
}

extension StringProtocol {
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        indices.lazy.filter { self[$0...].hasPrefix(text) }.first.map { $0..<index($0, offsetBy: text.count) }
    }

    /// In units of UTF-16, counted from 1.
    fileprivate func firstColumn(of text: String) -> Int? {
        firstRange(of: text).map { self[..<$0.lowerBound].utf16.count + 1 }
    }
}
