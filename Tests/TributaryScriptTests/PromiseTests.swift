import Testing

@testable import TributaryScript

#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)
/// The pending work of promises and async functions is done before a call returns.
@Suite struct PromiseTests {
    @Test("The work of promises and async functions is done when the call returns", arguments: [true, false])
    func pendingWork(canStop: Bool) throws {
        let engine = try ScriptEngine(
            budget: ScriptBudget(seconds: 60), census: ScriptCensus(), canStop: canStop && ScriptEngine.canStopScripts)
        try engine.run(
            """
            const log = []
            async function later(text) { await 0; log.push(text); return text }
            async function* numbers() { yield 1; yield 2 }
            const all = async () => {
                for await (const n of numbers()) log.push(n)
                log.push(...await Promise.all([later('a'), 'b']))
                try { await Promise.reject(new Error('no')) } catch (error) { log.push(error.message) }
                const o = { async async() { return await this.await() }, await() { return 'await' } }
                log.push(await o.async())
                const first = async x => await { x }.x
                log.push(await first('last'))
            }
            all()
            log.push('first')
            """, name: "t.js")
        #expect(
            try engine.evaluate("log.join()", name: "t.js") == .string("first,1,2,a,a,b,no,await,last"))
        engine.close()
    }

    @Test("A script cannot replace the functions of promises")
    func replacement() throws {
        let engine = try ScriptEngine()
        try engine.run("Promise.prototype.then = null; Promise.resolve = null; Promise = null", name: "t.js")
        try engine.run("var n = 0; Promise.resolve(1).then(v => { n = v })", name: "t.js")
        #expect(try engine.evaluate("n", name: "t.js") == .number(1))
    }

    @Test(
        "A promise of a list that is too long is rejected",
        arguments: ["Promise.all", "Promise.race", "Promise.any", "Promise.allSettled"])
    func longLists(function: String) throws {
        let engine = try ScriptEngine()
        let list = "(a => { a.length = 4e9; return a })([])"
        try engine.run("var text = ''; \(function)(\(list)).catch(e => { text = String(e) })", name: "t.js")
        #expect(try engine.evaluate("text", name: "t.js").text?.hasPrefix("RangeError") == true)
    }
}
#endif
