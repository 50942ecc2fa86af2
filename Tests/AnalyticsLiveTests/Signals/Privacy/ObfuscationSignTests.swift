import Testing
import Tributary
import TributaryJSON

@testable import AnalyticsLive

/// A signal that a broadcaster has made unreadable is recognised, and no other one.
@Suite struct ObfuscationSignTests {
    private static let readable: [JSON] = [
        ["type": "interaction", "data": ["component": "button", "title": "Add To Cart"]],
        ["type": "interaction", "data": ["component": "button", "title": "OK", "data": ["id": 1]]],
        ["type": "interaction", "data": ["component": "toggle", "data": ["isOn": true]]],
        [
            "type": "network",
            "data": ["action": "response", "url": "https://a.example/p", "data": ["content": ["price": 12.5]]],
        ],
        ["type": "localData", "data": ["action": "saved", "identifier": "cart", "data": ["items": ["a", "b"]]]],
        ["type": "instrumentation", "data": ["type": "track", "rawEvent": ["event": "Signup"]]],
        ["type": "userDefined", "data": ["words": "red shoes"]],
    ]

    @Test("What broadcasters make of a signal is unreadable, and the signal itself is not", arguments: readable)
    func signals(signal: JSON) throws {
        #expect(!ObfuscationSign.isUnreadable(signal))
        let type = try #require(signal["type"]?.stringValue.flatMap(SignalType.init(rawValue:)))
        var stored = signal
        stored["data"] = SignalRecord.obfuscated(signal["data"] ?? .null, of: type)
        #expect(ObfuscationSign.isUnreadable(stored), "\(stored)")
    }

    @Test("A signal without texts is as it was, so it counts as readable")
    func withoutTexts() {
        let signals: [JSON] = [
            ["type": "navigation", "data": ["action": "entering", "screen": "Home"]],
            ["type": "interaction", "data": ["component": "button", "title": "…"]], ["type": "interaction"],
            ["type": "unknown", "data": [:]],
        ]
        for signal in signals { #expect(!ObfuscationSign.isUnreadable(signal), "\(signal)") }
    }
}
