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

    @Test("A rendered part changes nothing in the text of an object")
    func sameText() {
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

    @Test("A changed copy of the rendered part is written with its changes")
    func changedCopy() throws {
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

    private let event: JSONObject = [
        "type": "track", "messageId": "0123456789-0123456789", "n": 1, "big": 9_223_372_036_854_775_807, "x": 0.1,
        "no": .null, "yes": true, "properties": ["a": [1, 2], "b": "e\u{301}"], "list": ["x"],
    ]

    @Test("A longer object is written as the earlier text and the new members")
    func continuation() {
        let written = WrittenObject(event, text: [UInt8](#"{"old":"text"}"#.utf8)[...])
        var longer = event
        longer["context"] = .object(context)
        longer["more"] = ["x": 1]
        let text = String(
            decoding: longer.encoded(knowing: RenderedObject(context), continuing: written) ?? [], as: UTF8.self)
        #expect(text == #"{"old":"text","context":"# + JSON.object(context).description + #","more":{"x":1}}"#)
        let same = event.encoded(knowing: nil, continuing: written, adding: ("m", RenderedObject(["y": 2])))
        #expect(String(decoding: same ?? [], as: UTF8.self) == #"{"old":"text","m":{"y":2}}"#)
    }

    @Test("A changed object is written from its beginning and not continued")
    func changes() {
        let written = WrittenObject(event, text: JSON.object(event).encoded()[...])
        let changes: [(inout JSONObject) -> Void] = [
            { _ in }, { $0["type"] = "Track" }, { $0["messageId"] = "0123456789-0123456780" }, { $0["n"] = 1.0 },
            { $0["n"] = 2 }, { $0["big"] = 9_223_372_036_854_775_806 }, { $0["x"] = -0.1 }, { $0["no"] = false },
            { $0["yes"] = false }, { $0["yes"] = nil }, { $0["list"] = nil }, { $0["properties"]?["a"] = [1, 3] },
            { $0["properties"]?["b"] = "\u{e9}" }, { $0["properties"]?["b"] = "e\u{301}" },
            { $0.update("list") { $0 = ["y"] } }, { $0.removeAll { $0.key == "type" } },
            { $0.removeAll { _ in true } },
            { event in
                let type = event.removeValue(forKey: "type")
                event["type"] = type
            },
        ]
        for change in changes {
            for isLonger in [false, true] {
                var changed = event
                change(&changed)
                if isLonger { changed["context"] = .object(context) }
                let bytes = changed.encoded(knowing: RenderedObject(context), continuing: written)
                #expect(bytes == JSON.object(changed).encoded())
            }
        }
    }
}
