import Foundation
import Testing

@testable import TributaryScript

#if canImport(CJavaScriptCore) || canImport(JavaScriptCore)
/// Scripts that are withdrawn stop, from whatever thread.
@Suite struct ScriptWithdrawalTests {
    @Test(arguments: [true, false])
    func runningScriptStopsAndNoneRunsAnyMore(canStop: Bool) throws {
        let engine = try ScriptEngine(
            budget: ScriptBudget(seconds: 60), census: ScriptCensus(), canStop: canStop && ScriptEngine.canStopScripts)
        let withdrawal = engine.withdrawal
        try engine.expose("started") { _ in
            Thread.detachNewThread { withdrawal.withdraw() }
            return .undefined
        }
        let error = #expect(throws: ScriptError.self) {
            try engine.run("started(); for (;;) try { for (;;) ; } catch { }", name: "t.js")
        }
        #expect(error?.reason == .unusable)
        #expect(error?.message == "the scripts were withdrawn")
        #expect(throws: ScriptError.self) { try engine.evaluate("1", name: "t.js") }
        engine.close()
    }
}
#endif
