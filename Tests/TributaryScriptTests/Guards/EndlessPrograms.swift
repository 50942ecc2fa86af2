/// Programs that do not end by themselves, or hold more and more.
enum EndlessPrograms {
    static let all = loops + catching + calls + members + iterations + growth + builtIns + promises

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
        "'a'.replace(/a/, () => { for (;;) ; })", "for (;;) try { Array.from({ length: 1e9 }, () => 1) } catch { }",
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

    private static let promises = [
        "(function f() { Promise.resolve().then(f) })()", "(async function f() { for (;;) await 0 })()",
        "(async function f() { for (;;) try { await 0 } catch { } })()",
        "(async function f() { await 0; await f() })()",
        "(async function f() { await 0; f(); f() })()", "const t = { then(f) { f(t) } }; Promise.resolve(t)",
        "const t = { }; t.then = [t].forEach.bind([t]); Promise.resolve(t)",
        "const t = { }; t.then = Map.prototype.forEach.bind(new Map([[1, t]])); Promise.resolve(t)",
        "(async () => { for await (const x of (async function* () { for (;;) yield 1 })()) ; })()",
        "const f = () => Promise.reject().catch(f); f()", "const f = () => Promise.resolve().finally(f); f()",
        "(async () => { for (;;) await Promise.all([1, 2]) })()",
        "queue = []; (async () => { for (;;) { queue.push(new Array(1e4).fill(0)); await 0 } })(); var queue",
    ]

    /// What built-in functions would do by themselves, where no guard runs. Each of these repeats it, since a wrapper that
    /// refuses a length ends one attempt only.
    private static let builtIns = [
        "const a = []; a.length = 4e9; for (;;) try { a.indexOf(1) } catch { }",
        "const a = []; a.length = 4e9; for (;;) try { a.forEach(x => x) } catch { }",
        "for (;;) try { Array.prototype.fill.call({ length: 2 ** 53 }, 1) } catch { }",
        "for (;;) try { Array.prototype.some.call({ get length() { return 2 ** 53 } }, x => x) } catch { }",
        "for (;;) try { Array.prototype.find.call(new Proxy([], { get: () => 2 ** 53 }), x => x) } catch { }",
        "for (;;) try { new Array(1e8).join() } catch { }", "for (;;) try { Array(1e7).fill(1) } catch { }",
        "for (;;) new Array(1e6).fill(1).reverse()", "for (;;) new Array(1e5).fill(1).map(String).sort()",
        "const a = new Array(2000).fill('x'.repeat(1e6)); for (;;) try { a.join() } catch { }",
        "const a = new Array(5e4).fill(0).map(Math.random); for (;;) a.sort()",
        "const s = 'x'.repeat(1e6), a = new Array(5e4).fill(0).map((_, i) => s + i); for (;;) a.sort()",
        "const a = new Array(1e6).fill(0).map(Math.random); for (;;) a.sort(Math.max)",
        "let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; for (;;) try { a.flat(Infinity) } catch { }",
        "let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; for (;;) try { a.join() } catch { }",
        "let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; for (;;) try { String(a) } catch { }",
        "const a = new Array(1e6).fill(1); for (;;) try { a.flatMap(() => a) } catch { }",
        "const a = new Array(1e6).fill(1); for (;;) try { a.concat(a, a, a) } catch { }",
        "for (;;) try { let a = [1]; for (;;) a = a.concat(a) } catch { }",
        "for (;;) try { Array.from({ length: 1e9 }) } catch { }",
        "for (;;) try { Array.from({ length: 1e6 }) } catch { }",
        "const a = []; a.length = 4e9; for (;;) try { new Set(a) } catch { }",
        "const a = []; a.length = 4e9; for (;;) try { Object.groupBy(a, String) } catch { }",
        "new Set(Object.assign(Object.create({ next: Object }), { [Symbol.iterator]() { return this } }))",
        "for (;;) 'x'.repeat(1e6)", "for (;;) try { 'x'.repeat(2 ** 30) } catch { }",
        "for (;;) try { 'x'.padEnd(2 ** 30) } catch { }", "for (;;) 'x'.padStart(1e6, 'abc').split('')",
        "const s = 'x'.repeat(1e5); for (;;) try { s.replaceAll('x', s) } catch { }",
        "const s = 'x'.repeat(1e5); for (;;) try { s.replace(/x/g, '$`') } catch { }",
        "const s = 'x'.repeat(1e6); for (;;) try { s.replaceAll('x', () => s) } catch { }",
        "const s = 'b'.repeat(1e6), t = 'b'.repeat(5e5) + 'ac'; for (;;) try { s.indexOf(t) } catch { }",
        "for (;;) try { String.raw({ raw: { length: 1e9 } }) } catch { }",
        "for (;;) try { new Uint8Array(1e9).fill(1) } catch { }", "for (;;) new Float64Array(1e6).fill(1)",
        "for (;;) try { new ArrayBuffer(1e9) } catch { }", "for (;;) new Uint32Array(65536).sort().join()",
        "for (;;) try { new Uint8Array({ length: 1e9 }) } catch { }",
        "for (;;) try { BigInt('9'.repeat(1e6)) } catch { }", "for (;;) BigInt('9'.repeat(1e4))",
        "for (;;) try { let n = 1n; for (;;) n <<= 1000n } catch { }",
        "let n = 3n; for (;;) n = n ** 3n % (1n << 3000n)",
        "for (;;) try { JSON.parse('[' + '1,'.repeat(4e5) + '1]') } catch { }",
        "let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; for (;;) try { JSON.stringify(a) } catch { }",
        "let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; let n = 0; for (;;) try { JSON.stringify({ get a() { return n++ ? a : 1 } }) } catch { }",
        "let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; for (;;) try { JSON.stringify({ toJSON: () => a }, null, 2) } catch { }",
        "const s = 'x'.repeat(1e6); for (;;) try { JSON.stringify(new Array(1e5).fill(s)) } catch { }",
        "for (;;) try { /^(([a-z])+.)+[A-Z]([a-z])+$/.test('a'.repeat(4000)) } catch { }",
        "for (;;) try { new RegExp('(a+)+$').exec('a'.repeat(40) + 'b') } catch { }",
        "for (;;) try { ('a'.repeat(40) + 'b').match('(a|a)*$') } catch { }",
        "for (;;) try { ('a'.repeat(40) + 'b').replace(/(a|aa)+$/, '') } catch { }",
        "for (;;) try { ('a'.repeat(40) + 'b').split(/(a+)+$/) } catch { }",
        "for (;;) try { [...('a'.repeat(40) + 'b').matchAll(/(a+)+$/g)] } catch { }",
        "for (;;) try { RegExp.prototype.exec.call(/(a+)+$/, 'a'.repeat(40) + 'b') } catch { }",
        "for (;;) try { RegExp.prototype[Symbol.replace].call(/(a+)+$/, 'a'.repeat(40) + 'b', '') } catch { }",
        "with ({}) for (;;) try { /(a+)+$/.test('a'.repeat(40) + 'b') } catch { }",
        "for (;;) try { /a*a*a*b/.test('a'.repeat(1e4)) } catch { }",
        "class R extends RegExp { } for (;;) try { new R('(a+)+$').test('a'.repeat(40) + 'b') } catch { }",
    ]
}
