import AnalyticsLive
import TestSupport
import Testing
import Tributary

@Suite("A bundle that brings a runtime of its own for generators")
struct GeneratorRuntimeBundleSnippet {
    /// As bundlers write it: one function that is called at once, with helpers that mention what is not there.
    private let script = """
        /*! licence */
        !function () {
            var rules = [{ when: "Add to cart", send: "Product Added" }]
            function later(work) { return "undefined" != typeof Promise ? new Promise(work) : work(function () {}) }
            function evaluate(buffer) {
                return rules.filter(function (rule) {
                    var first = buffer[0]
                    return first.data && first.data.target && first.data.target.title === rule.when
                })
            }
            globalThis.RULES_RUNTIME_VERSION = "1.0"
            null != globalThis.signals || (globalThis.signals = { signalBuffer: [] })
            globalThis.processSignal = function (signal) {
                evaluate(globalThis.signals.signalBuffer).forEach(function (rule) {
                    globalThis.analytics.track(rule.send, { version: globalThis.RULES_RUNTIME_VERSION })
                })
            }
        }();
        """

    @Test("A bundle with a runtime of its own gets signals by its global processSignal")
    func loads() async throws {
        let events = try await SignalStage.run(script) { stage in
            stage.signals.emit(InteractionSignal(component: "Button", title: "Add to cart"))
        }
        #expect(events.first { $0["event"] == "Product Added" }?["properties"] == ["version": "1.0"])
    }
}
