import Foundation
import TestSupport
import Testing
import Tributary

private enum Plan: String { case pro }

private struct Refusing: Encodable {
    struct Refusal: Error {}
    func encode(to encoder: Encoder) throws { throw Refusal() }
}

private struct Profile: Encodable {
    var name = "Ada"
    var broken = Refusing()
    var age = 36
}

@Suite("Properties with a value that has no JSON form")
struct BadValuesSnippet {
    @Test("Values without a JSON form are left out, and all others arrive")
    func kept() async {
        let client = Client()
        let properties: [String: Any] = [
            "letter": Character("é"), "slice": [1, 2, 3][1...], "set": Set(["b", "a"]), "range": 1..<3,
            "url": URL(string: "https://a.test") as Any, "data": Data([1]), "date": Date(timeIntervalSince1970: 0),
            "id": UUID(), "plan": Plan.pro, "none": Int?.none as Any, "json": JSON.array([1]), "tuple": (1, 2),
            "error": NSError(domain: "d", code: 1),
        ]
        client.analytics.track(name: "A", properties: properties)
        client.analytics.identify(userId: "u", traits: Profile())
        _ = await client.flushed()
        let sent = client.server.events.first?["properties"]
        #expect(Set(sent?.objectValue?.keys ?? []) == Set(properties.keys).subtracting(["tuple", "error"]))
        #expect(sent?["letter"] == "é")
        #expect(sent?["slice"] == [2, 3])
        #expect(sent?["set"] == ["a", "b"])
        #expect(sent?["plan"] == "pro")
        #expect(client.server.events.last?["traits"] == ["name": "Ada", "age": 36])
    }
}
