import AnalyticsLive
import Foundation
import TributaryJSON
import TributaryScript

/// The client for scripts of a test run. It takes the user from the events, and sends nothing.
final class TestRunBridge: TestSource, LivePluginBridge {
    static let writeKey = "TRIAL"

    var console: ((_ level: String, _ line: String) -> Void)?
    private var storage = ScriptValues()
    private var made: [MadeEvent] = []
    private var tracked = 0
    private var others: [String: OtherTestSource] = [:]

    /// An event that a script made.
    struct MadeEvent {
        let event: JSON
        /// No plugin sees it.
        let isOfAnotherSource: Bool
    }

    var trackedEvents: Int { tracked }
    private var signals = 0

    func nextSignalIndex() -> Int {
        defer { signals += 1 }
        return signals
    }

    /// Sets the user to the event's.
    func begin(_ event: JSON) {
        tracked += 1
        userId = event["userId"]?.stringValue
        anonymousId = event["anonymousId"]?.stringValue
        if event["type"] == "identify" { traits = event["traits"] }
    }

    /// Sets the user to the signal's. Signals that scripts add come after it.
    func beginSignal(_ signal: JSON) {
        anonymousId = signal["anonymousId"]?.stringValue ?? anonymousId
        if let index = signal["index"]?.intValue, index >= signals, index < Int.max { signals = index + 1 }
    }

    /// The events that scripts have made since `begin`.
    func end() -> [JSON] { takeMade().map(\.event) }

    /// The events that scripts have made since the last call.
    func takeMade() -> [MadeEvent] {
        defer { made = [] }
        return made
    }

    func source(writeKey: String) throws(ScriptError) -> (any LivePluginSource)? {
        if let known = others[writeKey] { return known }
        try LivePluginLimits.check(newSource: writeKey, besides: others.count)
        let source = OtherTestSource { [weak self] event in
            self?.made.append(MadeEvent(event: event, isOfAnotherSource: true))
        }
        others[writeKey] = source
        return source
    }

    func storedValue(forKey key: String) -> JSON? { storage[key] }

    func storeValue(_ value: JSON?, forKey key: String) throws(ScriptError) {
        try storage.store(value, forKey: key)
    }

    func console(_ level: ScriptEngine.ConsoleLevel, _ text: String) { console?(level.rawValue, text) }

    /// A client would add the same ids.
    override func take(_ event: JSON) {
        var event = event
        event["messageId"] = .string(UUID().uuidString.lowercased())
        event["anonymousId"] = anonymousId.map(JSON.string)
        if event["userId"] == nil { event["userId"] = userId.map(JSON.string) }
        made.append(MadeEvent(event: event, isOfAnotherSource: false))
        tracked += 1
    }
}
