import Testing

@testable import TributaryScript

#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)
/// Scripts that are no longer wanted stop in the middle of a call.
@Suite struct ScriptWithdrawalTests {
    @Test("A running script stops when it is withdrawn, long before its budget ends", arguments: [true, false])
    func withdrawn(canStop: Bool) throws {
        let engine = try ScriptEngine(
            budget: ScriptBudget(seconds: 600), census: ScriptCensus(), canStop: canStop && ScriptEngine.canStopScripts)
        var isWithdrawn = false
        engine.isWithdrawn = { isWithdrawn }
        try engine.expose("withdraw") { _ in
            isWithdrawn = true
            return .undefined
        }
        let error = #expect(throws: ScriptError.self) {
            try engine.run("withdraw(); for (;;) try { for (;;) ; } catch { }", name: "t.js")
        }
        #expect(error?.reason == .unusable)
        #expect(error?.message == "the scripts were withdrawn")
        engine.close()
    }
}
#endif
