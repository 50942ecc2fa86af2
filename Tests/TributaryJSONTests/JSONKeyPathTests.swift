import Testing
import TributaryJSON

@Suite struct JSONKeyPathTests {
    private static let sample: JSON = ["device": ["id": "x", "os": ["name": "iOS"]], "": ["": 1], "list": [1]]

    @Test(
        "A key path reads nested members, and is nil where there is none",
        arguments: [
            ("device.id", "x"), ("device.os.name", "iOS"), ("device", ["id": "x", "os": ["name": "iOS"]]), (".", 1),
            ("missing", nil), ("device.missing", nil), ("device.id.more", nil), ("list.0", nil), ("device.", nil),
            (".device", nil), ("", ["": 1]),
        ] as [(String, JSON?)])
    func reading(path: String, expected: JSON?) {
        #expect(Self.sample[keyPath: path] == expected)
    }

    @Test("Setting a key path creates the missing objects")
    func creating() {
        var json: JSON = [:]
        json[keyPath: "a.b.c"] = 1
        json[keyPath: "a.b.d"] = 2
        json[keyPath: "e"] = 3
        #expect(json.description == #"{"a":{"b":{"c":1,"d":2}},"e":3}"#)
    }

    @Test("Setting a key path replaces values that are not objects")
    func replacing() {
        var json: JSON = ["a": "text", "b": [1]]
        json[keyPath: "a.x"] = 1
        json[keyPath: "b.0"] = 2
        #expect(json == ["a": ["x": 1], "b": ["0": 2]])
        var scalar: JSON = 1
        scalar[keyPath: "a.b"] = 2
        #expect(scalar == ["a": ["b": 2]])
    }

    @Test("Removing a key path removes its last key only")
    func removing() {
        var json = Self.sample
        json[keyPath: "device.os.name"] = nil
        #expect(json[keyPath: "device.os"] == [:])
        #expect(json[keyPath: "device.id"] == "x")
    }

    @Test("Removing a key path that leads nowhere changes nothing")
    func removingMissing() {
        for path in ["missing", "missing.x", "device.id.x", "device.id.x.y", "list.0", "device.os.missing.x"] {
            var json = Self.sample
            json[keyPath: path] = nil
            #expect(json == Self.sample, "\(path)")
        }
    }

    @Test func settingNull_keepsTheKey() {
        var json: JSON = [:]
        json[keyPath: "a.b"] = .some(.null)
        #expect(json.description == #"{"a":{"b":null}}"#)
    }

    @Test("A key path that is deeper than a document may be reads and sets nothing")
    func deepPaths() {
        let deepest = Array(repeating: "a", count: 128).joined(separator: ".")
        var json: JSON = [:]
        json[keyPath: deepest] = 1
        #expect(json[keyPath: deepest] == 1)
        let before = json
        for count in [129, 100_000] {
            let path = Array(repeating: "a", count: count).joined(separator: ".")
            json[keyPath: path] = 2
            #expect(json == before)
            #expect(json[keyPath: path] == nil)
        }
    }

    @Test("Key paths work in dictionaries as in JSON")
    func dictionaries() {
        var dictionary: [String: Any] = ["a": ["b": 1], "s": "text"]
        #expect(dictionary[keyPath: "a.b"] as? Int == 1)
        #expect(dictionary[keyPath: "a.x"] == nil)
        #expect(dictionary[keyPath: "s.x"] == nil)
        dictionary[keyPath: "a.c.d"] = 2
        dictionary[keyPath: "s.x"] = nil
        dictionary[keyPath: "m.x"] = nil
        dictionary[keyPath: "a.b"] = nil
        #expect(dictionary[keyPath: "a.c.d"] as? Int == 2)
        #expect(dictionary["s"] as? String == "text")
        #expect(dictionary.keys.sorted() == ["a", "s"])
        #expect((dictionary["a"] as? [String: Any])?.keys.sorted() == ["c"])
    }
}
