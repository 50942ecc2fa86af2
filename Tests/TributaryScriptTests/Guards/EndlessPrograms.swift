/// Programs that do not end by themselves, or hold more and more.
enum EndlessPrograms {
    static let all = loops + catching + calls + members + iterations + growth

    private static let loops = [
        "while (true) {}", "while (1) ;", "for (;;) ;", "for (;;) { }", "do ; while (true)", "do { } while (1)",
        "for (let i = 0; i < 10; ) ;", "for (let i = 0; ; i++) { let f = () => i }", "a: for (;;) { continue a }",
        "a: while (1) { b: for (;;) { continue a } }", "a: for (;;) { for (;;) { for (;;) { continue a } } }",
        "for (;;) { switch (1) { case 1: continue; default: break } }", "{ { for (;;) ; } }",
        "if (1) while (1) ; else ;", "var i = 0; while (i < 1) { i = i * 2 }",
        "for (var x = 1; x; x = x / 1) { /re/.test('a') }",
        "with ({}) { while (1) ; }", "with (new Proxy({}, { has: () => true, get: () => 9 })) { while (1) ; }",
        "with (new Proxy({}, { has: () => true, get: () => 9 })) { (() => { for (;;) ; })() }",
        "(function () { while (1) ; })()", "(() => { for (;;) ; })()", "(function () { 'use strict'; for (;;) ; })()",
        "new (class { constructor() { for (;;) ; } })", "class A { static { for (;;) ; } }",
        "class A { static x = (() => { for (;;) ; })() }", "new (class { x = (() => { for (;;) ; })() })",
        "(function (a = (() => { for (;;) ; })()) { })()",
    ]

    private static let catching = [
        "for (;;) { try { while (1) ; } catch { } }", "for (;;) { try { while (1) ; } finally { continue } }",
        "function f() { try { for (;;) ; } catch { f() } } f()", "function f() { try { f() } catch { f() } } f()",
        "function f() { for (;;) { try { f() } catch { } } } f()",
        "function f() { try { for (;;) ; } finally { f() } } f()",
        "for (;;) { try { null.x } catch { continue } finally { } }",
        "function f() { try { return f() } finally { f() } } f()",
        "(function f() { try { try { for (;;) ; } catch { for (;;) ; } } finally { for (;;) ; } })()",
        "for (;;) { try { throw { toString() { for (;;) ; } } } catch (e) { try { String(e) } catch { } } }",
        "throw { toString() { while (1) ; } }", "throw { get line() { while (1) ; } }",
    ]

    private static let calls = [
        "'use strict'; (function f() { 'use strict'; return f() })()",
        "const f = () => f(); for (;;) try { f() } catch { }",
        "const f = n => n > 60 ? 0 : f(n + 1) + f(n + 1); f(0)", "const f = n => n > 60 || (f(n + 1), f(n + 1)); f(0)",
        "function f(n) { if (n < 60) { f(n + 1); f(n + 1) } } f(0)",
        "const f = (n = 0) => n > 60 ? 1 : `${f(n + 1)}${f(n + 1)}`; f()",
        "let d = 0; class A { a = ++d < 60 ? (new A, --d) : --d; b = ++d < 60 ? (new A, --d) : --d } new A",
        "let d = 0; function* g(a = ++d < 60 ? (g(), g(), --d) : --d) { } g()",
        "let d = 0; function* g({ [++d < 60 ? (g({}), g({}), --d) : --d]: a }) { } g({})",
        "const y = f => (x => f(v => x(x)(v)))(x => f(v => x(x)(v))); y(f => n => n > 60 ? 1 : f(n + 1) + f(n + 1))(0)",
    ]

    private static let members = [
        "({ get a() { for (;;) ; } }).a", "({ set a(v) { for (;;) ; } }).a = 1",
        "const o = { get a() { return this.b }, get b() { for (;;) ; } }; o.a",
        "JSON.stringify({ toJSON() { for (;;) ; } })", "+{ valueOf() { for (;;) ; } }",
        "`${{ toString() { for (;;) ; } }}`",
        "({ [Symbol.toPrimitive]() { for (;;) ; } }) + 1", "new Proxy({}, { get() { for (;;) ; } }).x",
        "'x' in new Proxy({}, { has() { while (1) ; } })", "Object.keys(new Proxy({}, { ownKeys() { for (;;) ; } }))",
        "const p = new Proxy({}, { getPrototypeOf: () => p }); p instanceof Object",
        "5 instanceof { [Symbol.hasInstance]() { for (;;) ; } }",
        "(class { static get [(() => { for (;;) ; })()]() { } })",
        "class A { static #x() { for (;;) ; } static { A.#x() } }",
        "new (class extends Object { constructor() { super(); for (;;) ; } })",
    ]

    private static let iterations = [
        "for (const x of (function* () { for (;;) yield 1 })()) ;", "[...(function* () { for (;;) yield 1 })()]",
        "const [...a] = (function* () { while (1) yield 1 })()",
        "for (const x of { [Symbol.iterator]: () => ({ next: () => ({}) }) }) ;",
        "[...{ [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) }]",
        "new Set({ [Symbol.iterator]: () => ({ next: () => ({ value: 1 }) }) })",
        "function* g() { yield* g() } for (;;) try { [...g()] } catch { }",
        "function* g() { try { for (;;) yield } finally { for (;;) ; } } for (const x of g()) break",
        "[3, 2, 1].sort(() => { for (;;) ; })", "[1].map(() => { for (;;) ; })",
        "[1].reduce(function () { for (;;) ; }, 0)",
        "'a'.replace(/a/, () => { for (;;) ; })", "Array.from({ length: 1e9 }, () => 1)",
        "new Map([[1, 2]]).forEach(() => { for (;;) ; })",
        "JSON.parse('[1]', () => { for (;;) ; })", "for (;;) for (const k in { a: 1 }) ;",
    ]

    private static let growth = [
        "const a = [1]; for (const x of a) a.push(x)",
        "const m = new Map([[1, 1]]); for (const [k] of m) { m.delete(k); m.set(k, 1) }",
        "const s = new Set([1]); for (const x of s) { s.delete(x); s.add(x) }",
        "const a = []; for (;;) a.push({ a: 1, b: [1, 2, 3] })",
        "let s = ''; for (;;) s += 'abcdefghijklmnopqrstuvwxyz'", "const o = {}; for (let i = 0; ; i++) o['k' + i] = i",
        "let n = 3n; for (;;) n *= 3n", "let n = 1n; for (;;) n += 12345678901234567890n",
        "let a = null; for (;;) a = { a }",
        "const a = []; for (;;) a.push(new Uint8Array(65536).fill(1))", "const a = []; for (;;) a.unshift(1)",
        "let f = () => 1; for (;;) { const g = f; f = () => g }",
    ]
}
