import TributaryJSON
import TributaryPluginTestKit

/// Any text can be given to the engine as a bundle and any event to its plugins: what comes out is an event, the same
/// one when no plugin changed it.
enum ScriptFuzzing {
    private static let event: JSON = [
        "type": "track", "event": "Order", "messageId": "m-1",
        "properties": ["id": 9_007_199_254_740_993, "items": [["price": 1.5]], "name": "x"],
    ]
    /// A bundle whose plugins run what the fuzzer gives.
    private static let frame = (
        "class P extends LivePlugin { process(event) {\n", "\nreturn event } }\nanalytics.add(new P('enrichment'))"
    )

    static func run(_ bytes: [UInt8]) {
        _ = BundleReview(bytes: bytes, name: "fuzz.js")
        let text = String(decoding: bytes, as: UTF8.self)
        guard let testRun = try? PluginTestRun(source: frame.0 + text + frame.1, name: "fuzz.js") else { return }
        for event in [event, (try? JSON.parse(bytes)) ?? event] where event.objectValue != nil {
            let result = testRun.run(event)
            guard let after = result.after else { continue }
            require(after["messageId"] == event["messageId"], "the event is another one")
            var written: [UInt8] = []
            after.write(into: &written)
            require((try? JSON.parse(written)) != nil, "the event is no JSON any more")
            if text.utf8.allSatisfy({ $0 <= 0x20 }) { require(after == event, "an event that nobody changed has changed") }
        }
    }
}
