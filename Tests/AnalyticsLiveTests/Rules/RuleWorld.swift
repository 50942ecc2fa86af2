import TributaryJSON
import TributaryRuleCompiler
import TributaryRules
import TributaryScript

@testable import AnalyticsLive

#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)
/// The same script twice: in an engine, and as data.
struct RuleWorld {
    let engine: LiveWorld
    let data: RuleRuntime
    let dataBridge = RecordingBridge()

    /// - Returns: nil when the script does not become data.
    init?(_ script: String, permissions: ScriptPermissions? = nil) throws {
        guard let program = RuleCompiler.compile(script).program else { return nil }
        engine = try LiveWorld(script, permissions: permissions)
        data = RuleRuntime(
            program, writeKey: "KEY", version: "7", fileName: "bundle0.js", permissions: permissions,
            bridge: dataBridge)
    }

    /// The event that comes out, with the events that the plugins sent: of the engine, and of the data.
    func outcomes(
        _ event: JSON, at type: LivePluginType = .enrichment, destination: String? = nil
    ) -> (engine: String, data: String) {
        let known = (engine.bridge.calls.count, dataBridge.calls.count)
        let first = engine.runtime.run(type: type, destination: destination, event: event)
        let second = data.run(type: type, destination: destination, event: event)
        return (
            Self.text(first, engine.bridge.calls.dropFirst(known.0)),
            Self.text(second, dataBridge.calls.dropFirst(known.1))
        )
    }

    private static func text(_ result: LivePluginStageResult, _ calls: ArraySlice<JSON>) -> String {
        let steps = result.steps.map { "\($0.plugin) \($0.outcome.name)" }.joined(separator: ", ")
        return
            ([steps, result.event?.description ?? "dropped"] + calls.map(\.description)
            + [result.collision ?? ""]).joined(separator: "\n")
    }
}

extension LivePluginOutcome {
    fileprivate var name: String {
        switch self {
        case .unchanged: "unchanged"
        case .changed: "changed"
        case .dropped: "dropped"
        // The texts of errors differ.
        case .failed(let fault): fault.isSwitchedOff ? "failed and is off" : "failed"
        }
    }
}

/// Events of many forms.
enum RuleEvents {
    static let texts = [
        #"{"type":"track","event":"Product Viewed","messageId":"m-1","properties":{"name":"Shoe","price":18.5,"total":3,"items":[{"price":5,"sku":"a"},{"price":7.25,"sku":"b"}],"plan":"pro","user":{"name":"A B","plan":null},"flag":true},"context":{"app":{"name":"Shop","build":"7"},"ip":"1.2.3.4"}}"#,
        #"{"type":"track","event":"Order Completed","messageId":"m-2","properties":{"price":18.50,"large":9007199254740993,"total":1e3,"items":[],"note":" ünï \"q\" 😀 ","7":"seven","2":"two","flag":false,"empty":""},"context":{}}"#,
        #"{"type":"track","event":"","properties":{"name":"12","price":"7,5","total":null,"items":[1,"2",null,[3,[4]],{"a":1}],"list":{"b":{"c":1.0}},"toString":"own"}}"#,
        #"{"type":"track","event":"Ω ΟΔΟΣ ß","properties":{"name":"😀😀","price":-0.0,"total":1e400,"items":[9007199254740993,0.1,18.50],"large":123456789012345678901234567890,"note":"a,b,,c"},"context":{"app":null}}"#,
    ]

    static var all: [JSON] { get throws { try texts.map { try JSON.parse($0) } } }
}
#endif
