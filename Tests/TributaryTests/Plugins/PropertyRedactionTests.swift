import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Redaction")
struct PropertyRedactionTests {
    private func track(_ properties: JSON, _ redaction: PropertyRedaction) -> JSON? {
        redaction.execute(event: Optional(TrackEvent(event: "E", properties: properties)))?.properties
    }

    @Test("Names are redacted at any depth, in lists too, in any case")
    func names() {
        let properties: JSON = [
            "Email": "a@b.c", "total": 3, "user": ["email": "x", "name": "y", "old_password_hash": "z"],
            "items": [["email": "x", "sku": 1], 5, ["sku": 2]],
        ]
        let expected: JSON = ["total": 3, "user": ["name": "y"], "items": [["sku": 1], 5, ["sku": 2]]]
        #expect(track(properties, PropertyRedaction(keys: ["email", "*password*"])) == expected)
    }

    @Test("Paths begin at the top, and a value can replace the redacted one")
    func paths() {
        let properties: JSON = [
            "address": ["street": "s", "city": "c"], "street": "kept",
            "cards": [["a": ["number": 1, "brand": "v"]]],
        ]
        let expected: JSON = [
            "address": ["street": "***", "city": "c"], "street": "kept",
            "cards": [["a": ["number": "***", "brand": "v"]]],
        ]
        let redaction = PropertyRedaction(
            keys: ["address.street", "cards.?.num*", ""], action: .replace("***"))
        #expect(track(properties, redaction) == expected)
    }

    @Test(
        "Texts that match a pattern are redacted",
        arguments: [
            ("*", "", true), ("*", "any", true), ("a*b*c", "aXbYbc", true), ("a*b*c", "aXbYb", false),
            ("?", "ü", true), ("?", "", false), ("a**", "a", true), ("email", "e-mail", false), ("É*", "été", true),
        ])
    func patterns(pattern: String, key: String, fits: Bool) {
        #expect(KeyPatterns([pattern]).match(key, in: []) == fits)
    }

    @Test("A hostile pattern does not take long")
    func hostile() {
        let pattern = String(repeating: "*a", count: 200) + "b"
        #expect(!KeyPatterns([pattern]).match(String(repeating: "a", count: 20_000), in: []))
    }

    @Test("Redacted data does not leave the device, and everything else is unchanged")
    func parts() async {
        let client = Client()
        client.analytics.add(plugin: PropertyRedaction(keys: ["secret"]))
        client.analytics.add { event in
            var event = event
            event?.context?["device"] = ["secret": 1, "kept": 2]
            return event
        }
        client.analytics.add(plugin: PropertyRedaction(keys: ["secret"]))
        client.analytics.track(name: "A", properties: ["secret": 1, "kept": 1])
        client.analytics.identify(userId: "u", traits: ["secret": 1, "kept": 1])
        client.analytics.group(groupId: "g", traits: ["secret": 1])
        #expect(await client.flushed() == .sent)
        let sent = client.server.events
        #expect(sent.map { $0["properties"] ?? $0["traits"] } == [["kept": 1], ["kept": 1], [:]])
        #expect(sent.allSatisfy { $0["context"]?["device"] == ["kept": 2] })
        #expect(sent[1]["userId"] == "u")
        await client.ended()
    }

    @Test("Only the chosen parts are redacted, and traits in the context count as traits")
    func chosenParts() {
        var event = TrackEvent(event: "E", properties: ["key": 1])
        event.context = ["key": 1, "traits": ["key": 1, "kept": 1]]
        let traits = PropertyRedaction(keys: ["key"], in: [.traits]).execute(event: Optional(event))
        #expect(traits?.properties == ["key": 1])
        #expect(traits?.context == ["key": 1, "traits": ["kept": 1]])
        let context = PropertyRedaction(keys: ["key"], in: [.context]).execute(event: Optional(event))
        #expect(context?.context == ["traits": ["kept": 1]])
    }
}
