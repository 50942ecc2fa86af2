import Crypto
import Testing
import TributaryJSON

@testable import WorkspaceCore

@Suite("Personal data in golden sessions") struct PersonalDataReplacementTests {
    private static func replacement(_ seed: UInt8 = 1, marked: Set<String> = []) -> PersonalDataReplacement {
        PersonalDataReplacement(marked: marked, key: SymmetricKey(data: [UInt8](repeating: seed, count: 32)))
    }

    private static let event: JSON = [
        "type": "identify", "messageId": "m-1", "userId": "alice", "anonymousId": "device-7",
        "timestamp": "2026-11-30T10:00:00.000Z",
        "traits": ["email": "alice@example.org", "age": 42, "pro": true, "tags": ["x"]],
        "context": [
            "app": ["name": "Shop", "version": "1.2.3.4"], "ip": "192.0.2.7", "device": ["id": "secret", "model": "M"],
            "traits": ["name": "Alice"], "page": ["url": "https://shop.test/a?mail=alice"],
        ],
        "properties": [
            "total": 42, "email": "alice@example.org", "note": "write to alice@example.org", "loyalty": "L-9",
            "address": ["street": "Road 1", "zip": 12345], "items": [["sku": "A", "phone": "0301234"]],
        ], "_metadata": ["bundled": []], "strange": 1,
    ]

    @Test("A person stays the same in a file, and no value of a person is in it")
    func same() throws {
        let replaced = Self.replacement(marked: ["Loyalty"]).replaced(Self.event)
        let text = replaced.description
        for word in [
            "alice", "Alice", "device-7", "m-1", "Road", "12345", "0301234", "192.0.2.7", "secret", "L-9", "2026-11-30",
        ] {
            #expect(!text.contains(word), "\(word) in \(text)")
        }
        let again = Self.replacement(marked: ["Loyalty"]).replaced(Self.event)
        #expect(replaced == again)
        // The same address of a person gets the same replacement wherever it is.
        #expect(replaced["traits"]?["email"] == replaced["properties"]?["email"])
        #expect(replaced["traits"]?["email"]?.stringValue?.hasSuffix("@example.com") == true)
    }

    @Test("Scripts find values of the same types, and what is not personal as it was")
    func shape() throws {
        let replaced = Self.replacement().replaced(Self.event)
        #expect(replaced["type"] == "identify")
        #expect(replaced["properties"]?["total"] == 42)
        #expect(replaced["properties"]?["loyalty"] == "L-9")
        #expect(replaced["properties"]?["items"]?[0]?["sku"] == "A")
        #expect(replaced["properties"]?["address"]?["zip"]?.intValue != nil)
        #expect(replaced["traits"]?["pro"] == true)
        #expect(replaced["traits"]?["age"]?.intValue.map { $0 < 100 } == true)
        #expect(replaced["traits"]?["tags"]?.elements?.count == 1)
        #expect(replaced["context"]?["app"] == ["name": "Shop", "version": "1.2.3.4"])
        #expect(replaced["context"]?["page"]?["url"] == "https://shop.test/a")
        #expect(replaced["context"]?["device"] == ["model": "M"])
        #expect(replaced["context"]?["ip"] == nil)
        #expect(replaced["strange"] == nil)
    }

    @Test("Another file has other replacements, and the distance of times stays")
    func otherFile() throws {
        let one = Self.replacement(1)
        let other = Self.replacement(2)
        #expect(one.replaced(Self.event)["userId"] != other.replaced(Self.event)["userId"])
        var later = Self.event
        later["timestamp"] = "2026-11-30T10:00:01.500Z"
        let times = [Self.event, later].map { event in
            one.replaced(event)["timestamp"]?.stringValue.flatMap { ISO8601.milliseconds($0) } ?? 0
        }
        #expect(times[1] - times[0] == 1_500)
        #expect(times[0] < 1_796_000_000_000)
    }

    @Test("Signals keep their place and lose what a person typed under a personal name")
    func signals() {
        let signal: JSON = [
            "type": "interaction", "index": 3, "anonymousId": "a",
            "data": ["title": "Buy", "email": "a@b.c", "n": [1]],
        ]
        let replaced = Self.replacement().replaced(signal, isSignal: true)
        #expect(replaced["index"] == 3)
        #expect(replaced["type"] == "interaction")
        #expect(replaced["data"]?["title"] == "Buy")
        #expect(replaced["data"]?["email"] != "a@b.c")
        #expect(replaced["anonymousId"] != "a")
    }

    @Test("A record that is no object is nothing; odd members do no harm")
    func hostile() {
        let replacement = Self.replacement()
        #expect(replacement.replaced([]) == .null)
        #expect(
            replacement.replaced(["context": 1, "properties": "x", "traits": .null, "type": ["a"], "timestamp": 7]) == [
                "properties": "x", "traits": .null,
            ])
        #expect(replacement.replaced(["properties": ["a@b.c": 1]])["properties"] == [:])
    }
}
