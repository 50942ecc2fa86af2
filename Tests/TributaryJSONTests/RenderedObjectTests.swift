import Testing
import TributaryJSON

@Suite struct RenderedObjectTests {
    private let context: JSONObject = ["os": ["name": "Linux"], "locale": "de\"-DE", "n": 1.5]

    private func both(_ object: JSONObject, _ known: JSONObject) -> (knowing: String, plain: String) {
        (
            String(decoding: object.encoded(knowing: RenderedObject(known)) ?? [], as: UTF8.self),
            JSON.object(object).description
        )
    }

    @Test func theTextIsTheSame_whateverIsKnown() {
        let objects: [JSONObject] = [
            [:], ["context": .object(context)], ["a\n": 1, "context": .object(context), "z": [.object(context)]],
            ["context": ["os": ["name": "Linux"], "locale": "de\"-DE", "n": 1.5]], ["context": [:]],
        ]
        for object in objects {
            for known in [context, [:], ["other": 1, "members": 2, "three": 3]] {
                let (knowing, plain) = both(object, known)
                #expect(knowing == plain)
            }
        }
    }

    @Test func aChangedCopy_isWrittenAsItIs() throws {
        let known = RenderedObject(context)
        var event: JSONObject = ["context": .object(context)]
        event["context"]?["n"] = 2
        event["copy"] = .object(context)
        var reordered = context
        reordered.removeValue(forKey: "os")
        reordered["os"] = "x"
        event["reordered"] = .object(reordered)
        #expect(event.encoded(knowing: known) == JSON.object(event).encoded())
    }
}
