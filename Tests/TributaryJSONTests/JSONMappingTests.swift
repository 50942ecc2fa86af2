import Testing

@testable import TributaryJSON

@Suite("Mapped names of keys")
struct JSONMappingTests {
    @Test("Keys are renamed at every level, in their order, and values stay")
    func keys() throws {
        let json = try JSON.parse(#"{"a":1.50,"b":{"a":2,"c":[{"a":3},4]}}"#)
        #expect(try json.mapTransform(["a": "x", "c": "y"]).toString() == #"{"x":1.50,"b":{"x":2,"y":[{"x":3},4]}}"#)
    }

    @Test("A closure changes values by their new keys, arrays after their objects")
    func values() throws {
        let json: JSON = ["price": 2, "items": [["price": 3], ["price": 4]], "user": ["price": 5]]
        var arrays = 0
        let mapped = try json.mapTransform(["price": "total"]) { key, value in
            if value is [Any] { arrays += 1 }
            guard key == "total", let number = value as? Int else { return value }
            return number * 10
        }
        #expect(mapped == ["total": 20, "items": [["total": 30], ["total": 40]], "user": ["total": 50]])
        #expect(arrays == 1)
    }

    @Test("When two keys get one name, the later wins")
    func collision() throws {
        #expect(try (["a": 1, "b": 2] as JSON).mapTransform(["a": "x", "b": "x"]) == ["x": 2])
    }

    @Test("A value without a JSON form throws an error")
    func errors() {
        struct NoJSON {}
        #expect(throws: JSONError.self) { try (["a": 1] as JSON).mapTransform([:]) { _, _ in NoJSON() } }
    }

    @Test("Dictionaries are renamed in the same way")
    func dictionaries() throws {
        let mapped = try ["a": ["b": 1]].mapTransform(["b": "c"]) as [String: Any]
        #expect((mapped["a"] as? [String: Any])?["c"] as? Int == 1)
    }
}
