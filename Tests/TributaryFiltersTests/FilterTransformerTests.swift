import Testing
import TributaryFilters
import TributaryJSON

@Suite struct FilterTransformerTests {
    private func applied(_ transformer: JSON, to event: JSON = sampleEvent) throws -> (JSON, FilterTransformer.Effect) {
        var event = event
        let effect = try FilterTransformer(transformer).apply(to: &event, random: { 0.5 })
        return (event, effect)
    }

    /// Checks the event that a transformer makes; nil stands for a dropped event.
    private func expect(
        _ transformer: JSON, on event: JSON, gives expected: JSON?, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let (result, effect) = try applied(transformer, to: event)
        let changed: FilterTransformer.Effect = expected == event ? .kept : .changed
        #expect(effect == (expected == nil ? .dropped : changed), sourceLocation: location)
        // Compares texts, because equality of objects does not look at the order.
        #expect(result.description == (expected ?? event).description, sourceLocation: location)
    }

    @Test("The transformer drop drops the event, whatever its configuration")
    func dropType() throws {
        for transformer: JSON in [["type": "drop"], ["type": "drop", "config": .null], ["type": "drop", "config": 5]] {
            try expect(transformer, on: sampleEvent, gives: nil)
            try expect(transformer, on: "no object", gives: nil)
        }
    }

    @Test("The transformer hash_properties changes nothing")
    func hashProperties() throws {
        try expect(
            ["type": "hash_properties", "config": ["hash": ["": ["userId"]]]], on: sampleEvent, gives: sampleEvent)
    }

    /// A letter with its accent, and the same letter followed by the accent, make different keys.
    @Test("Keys of properties are compared by their bytes")
    func keyBytes() throws {
        let event: JSON = ["a": ["caf\u{E9}": 1, "cafe\u{301}": 2]]
        try expect(dropProperties(["a": ["caf\u{E9}"]]), on: event, gives: ["a": ["cafe\u{301}": 2]])
        try expect(allowProperties(["a": ["caf\u{E9}"]]), on: event, gives: ["a": ["caf\u{E9}": 1]])
    }

    @Test("The transformer drop_properties removes the named keys")
    func droppedKeys() throws {
        let event: JSON = ["a": ["x": 1, "y": 2, "z.z": 3], "b": 4]
        try expect(dropProperties(["a": ["y"]]), on: event, gives: ["a": ["x": 1, "z.z": 3], "b": 4])
        try expect(dropProperties(["a": ["z.z", "no"]]), on: event, gives: ["a": ["x": 1, "y": 2], "b": 4])
        try expect(dropProperties(["": ["a"]]), on: event, gives: ["b": 4])
        try expect(dropProperties(["a": ["x"], "": ["b"]]), on: event, gives: ["a": ["y": 2, "z.z": 3]])
        try expect(dropProperties(["": ["n"]]), on: ["n": .null, "m": 1], gives: ["m": 1])
        for config: JSON in [[:], ["a": []], ["b": ["x"]], ["c": ["x"]], ["a.x": ["y"]], ["": ["x"]], ["a.": ["x"]]] {
            try expect(dropProperties(config), on: event, gives: event)
        }
    }

    @Test("The transformer drop_properties removes the named keys from each element of an array")
    func droppedInArrays() throws {
        let event: JSON = ["a": [["x": 1, "y": 2], 5, [["x": 1]], .null, ["x": 3]]]
        try expect(dropProperties(["a": ["x"]]), on: event, gives: ["a": [["y": 2], 5, [["x": 1]], .null, [:]]])
        try expect(dropProperties(["a.0": ["x"]]), on: event, gives: ["a": [["y": 2], 5, [["x": 1]], .null, ["x": 3]]])
        try expect(
            dropProperties(["a": ["0", "length"]]), on: event,
            gives: ["a": [["x": 1, "y": 2], 5, [.null], .null, ["x": 3]]])
        try expect(dropProperties(["a.9": ["x"]]), on: event, gives: event)
    }

    @Test("The transformer allow_properties keeps only the named keys of the named objects")
    func allowedKeys() throws {
        let event: JSON = ["a": ["x": 1, "y": 2], "b": ["x": 3], "c": 4]
        try expect(allowProperties(["a": ["x"]]), on: event, gives: ["a": ["x": 1], "b": ["x": 3], "c": 4])
        try expect(allowProperties(["": ["c", "b"]]), on: event, gives: ["b": ["x": 3], "c": 4])
        try expect(allowProperties(["": ["a"], "a": []]), on: event, gives: ["a": [:]])
        try expect(allowProperties(["c": ["x"], "d": []]), on: event, gives: event)
        try expect(allowProperties(["a": ["y", "x", "more"]]), on: event, gives: event)
        let list: JSON = ["a": [["x": 1, "y": 2], "text", ["y": 5]]]
        try expect(allowProperties(["a": ["x"]]), on: list, gives: ["a": [["x": 1], "text", [:]]])
    }

    @Test("Keys are dropped and allowed in large objects too")
    func largeObjects() throws {
        var object = JSONObject()
        for number in 0..<200 { object["k\(number)"] = .number(JSONNumber(number)) }
        let odd = JSON.array((0..<100).map { .string("k\($0 * 2 + 1)") })
        let (dropped, _) = try applied(dropProperties(["a": odd]), to: ["a": .object(object)])
        let (allowed, _) = try applied(allowProperties(["a": odd]), to: ["a": .object(object)])
        #expect(dropped["a"]?.objectValue?.keys == (0..<100).map { "k\($0 * 2)" })
        #expect(allowed["a"]?.objectValue?.keys == (0..<100).map { "k\($0 * 2 + 1)" })
    }

    @Test("A map sets values of any kind")
    func setValues() throws {
        for value: JSON in [.null, false, 0, "", [], [:], "text", ["x": [1]]] {
            try expect(mapProperties(["b": ["set": value]]), on: ["a": 1], gives: ["a": 1, "b": value])
            try expect(
                mapProperties(["a.b": ["set": value]]), on: ["a": ["b": "old", "c": 1]],
                gives: ["a": ["b": value, "c": 1]])
        }
    }

    @Test("A map writes into objects and arrays only")
    func parents() throws {
        let event: JSON = ["text": "t", "number": 1, "flag": true, "list": [1, ["x": 1]]]
        for path in ["text.x", "number.x", "flag.x", "absent.x", "absent.x.y", "list.x", "list.0.x", "list.length"] {
            let (result, _) = try applied(mapProperties([path: ["set": 5]] as JSON), to: event)
            #expect(result == event, "\(path)")
        }
        try expect(
            mapProperties(["list.1.x": ["set": 5]]), on: ["list": [1, ["x": 1]]], gives: ["list": [1, ["x": 5]]])
        try expect(mapProperties(["list.0": ["set": 5]]), on: ["list": [1, 2]], gives: ["list": [5, 2]])
        try expect(mapProperties(["list.3": ["set": 5]]), on: ["list": [1]], gives: ["list": [1, .null, .null, 5]])
        try expect(mapProperties(["a": ["set": 5]]), on: "no object", gives: "no object")
    }

    @Test("A map that writes into null is an error, and the event stays")
    func nullParent() throws {
        for event: JSON in [["a": .null, "b": 1], .null] {
            var changed = event
            let path = event.isNull ? "x" : "a.x"
            let transformer = try FilterTransformer(mapProperties(["b": ["set": 2], path: ["set": 5]] as JSON))
            let error = #expect(throws: FilterError.self) { try transformer.apply(to: &changed) }
            #expect(error?.reason == .unwritable)
            #expect(changed == event)
        }
    }

    @Test("A map does not write a missing source, also not into null")
    func missingSource() throws {
        try expect(mapProperties(["a.x": ["copy": "absent"]]), on: ["a": .null], gives: ["a": .null])
        try expect(mapProperties(["b": ["move": "absent"]]), on: ["b": 1], gives: ["b": 1])
    }

    @Test("A map cannot move a character of a text, or a length", arguments: ["text.0", "text.length", "list.length"])
    func characters(source: String) throws {
        var event: JSON = ["text": "xy", "list": [1]]
        let transformer = try FilterTransformer(mapProperties(["new": ["move": .string(source)]]))
        let error = #expect(throws: FilterError.self) { try transformer.apply(to: &event) }
        #expect(error?.reason == .unwritable)
        #expect(event == ["text": "xy", "list": [1]])
    }

    @Test("The transformer map_properties without a map changes nothing")
    func withoutMap() throws {
        try expect(["type": "map_properties", "config": [:]], on: ["a": 1], gives: ["a": 1])
        try expect(mapProperties(.null), on: ["a": 1], gives: ["a": 1])
    }

    @Test("Elements of arrays inside of an array are dropped and allowed by position")
    func nestedArrays() throws {
        let event: JSON = ["a": [[1, 2, 3], ["0": 1, "1": 2], 5, [.null]]]
        try expect(
            dropProperties(["a": ["0", "7"]]), on: event, gives: ["a": [[.null, 2, 3], ["1": 2], 5, [.null]]])
        try expect(
            allowProperties(["a": ["0"]]), on: event, gives: ["a": [[1, .null, .null], ["0": 1], 5, [.null]]])
        try expect(dropProperties(["a": ["0"]]), on: ["a": [[.null]]], gives: ["a": [[.null]]])
    }

    @Test(
        "A map does not write names that have a meaning in JavaScript",
        arguments: ["__proto__", "constructor", "prototype"])
    func reservedNames(name: String) throws {
        try expect(mapProperties([name: ["set": 1]] as JSON), on: ["a": 1], gives: ["a": 1])
        try expect(mapProperties(["o.\(name)": ["set": 1]] as JSON), on: ["o": [:]], gives: ["o": [:]])
    }

    @Test(
        "A replaced object becomes an array when its new key reads as a number",
        arguments: ["0", "1e3", "-1", "01", "0x1F", "0b1", " 7 ", "", "+2"])
    func numericKeys(key: String) throws {
        let (result, _) = try applied(mapProperties(["o": ["set": 5], "o.\(key)": ["set": 2]] as JSON), to: ["o": [:]])
        #expect(result["o"]?.elements != nil)
    }

    @Test(
        "A replaced object becomes an object when its new key does not read as a number",
        arguments: ["x", "1e999", "0x", "0b2", "1_0", "nan", "inf", "Infinity", "--1", "1e", "٣"])
    func otherKeys(key: String) throws {
        try expect(
            mapProperties(["o": ["set": 5], "o.\(key)": ["set": 2]] as JSON), on: ["o": [:]],
            gives: ["o": [key: 2] as JSON])
    }

    @Test("A map copies and moves values; copy comes before move, and move before set")
    func copiesAndMoves() throws {
        let event: JSON = ["a": 1, "b": ["c": 2], "d": ["e": 3]]
        try expect(
            mapProperties(["f": ["copy": "b.c"]]), on: event, gives: ["a": 1, "b": ["c": 2], "d": ["e": 3], "f": 2])
        try expect(mapProperties(["f": ["move": "b.c"]]), on: event, gives: ["a": 1, "b": [:], "d": ["e": 3], "f": 2])
        try expect(mapProperties(["b.c": ["move": "d"]]), on: event, gives: ["a": 1, "b": ["c": ["e": 3]]])
        try expect(
            mapProperties(["a": ["copy": "b", "move": "d", "set": 5]]), on: event,
            gives: ["a": ["c": 2], "b": ["c": 2], "d": ["e": 3]])
        try expect(
            mapProperties(["a": ["copy": "", "move": .null, "set": 5]]), on: event,
            gives: ["a": 5, "b": ["c": 2], "d": ["e": 3]])
        try expect(
            mapProperties(["n": ["copy": "t.length"], "u": ["copy": "t.1"]]), on: ["t": "xy"],
            gives: ["t": "xy", "n": 2, "u": "y"])
    }

    @Test("A map reads all values from the event as it was before the map")
    func reads() throws {
        let event: JSON = ["a": 1, "b": 2]
        try expect(mapProperties(["a": ["copy": "b"], "b": ["copy": "a"]]), on: event, gives: ["a": 2, "b": 1])
        try expect(mapProperties(["a": ["set": 9], "c": ["copy": "a"]]), on: event, gives: ["a": 9, "b": 2, "c": 1])
        try expect(mapProperties(["x.y": ["set": 1]]), on: event, gives: event)
        // the parent was an object before, so it becomes one again
        let nested: JSON = ["o": ["x": 1]]
        try expect(mapProperties(["o": ["set": 5], "o.x": ["set": 2]]), on: nested, gives: ["o": ["x": 2]])
        try expect(mapProperties(["o": ["set": 5], "o.0": ["set": 2]]), on: nested, gives: ["o": [2]])
    }

    @Test("A moved value stays at its source when it is null, false, 0 or an empty text")
    func falsyValues() throws {
        for value: JSON in [.null, false, 0, ""] {
            try expect(mapProperties(["b": ["move": "a"]]), on: ["a": value], gives: ["a": value, "b": value])
        }
        try expect(mapProperties(["b": ["move": "a"]]), on: ["a": []], gives: ["b": []])
        try expect(mapProperties(["b": ["move": "a.0"]]), on: ["a": [1, 2]], gives: ["a": [.null, 2], "b": 1])
        try expect(mapProperties(["a": ["move": "a"]]), on: ["a": 1, "b": 2], gives: ["b": 2])
    }

    @Test(
        "Values become texts as in JavaScript",
        arguments: [
            (4, #""4""#), (12.50, #""12.5""#), (-0.5, #""-0.5""#), (true, #""true""#), (.null, #""null""#),
            ("t", #""t""#),
            ([1], "[1]"), (["x": 1], #"{"x":1}"#), (1e21, #""1e+21""#), (1e20, #""100000000000000000000""#),
            (1.5e-7, #""1.5e-7""#), (1e-6, #""0.000001""#), (123456789012345680000.0, #""123456789012345680000""#),
            (0.1, #""0.1""#), (1e300, #""1e+300""#),
            (9_007_199_254_740_993, #""9007199254740993""#),
        ] as [(JSON, String)])
    func texts(value: JSON, expected: String) throws {
        let (result, _) = try applied(mapProperties(["a": ["to_string": true]]), to: ["a": value])
        #expect(result["a"]?.description == expected)
    }

    @Test("Numbers become texts as in JavaScript, whatever their spelling")
    func textsOfNumbers() throws {
        for (text, expected) in [
            ("1.50", "1.5"), ("1E2", "100"), ("5e-324", "5e-324"), ("-0", "0"), ("1e400", "null"),
            ("18446744073709551615", "18446744073709551615"),
        ] {
            let (result, _) = try applied(mapProperties(["a": ["to_string": 1]]), to: ["a": try JSON.parse(text)])
            #expect(result["a"] == .string(expected))
        }
    }

    @Test("An entry's to_string comes after its copy, move and set")
    func toStringLast() throws {
        try expect(mapProperties(["b": ["copy": "a", "to_string": true]]), on: ["a": 1], gives: ["a": 1, "b": "1"])
        try expect(
            mapProperties(["b": ["set": false, "to_string": true]]), on: ["a": 1], gives: ["a": 1, "b": "false"])
        try expect(mapProperties(["b": ["to_string": true]]), on: ["a": 1], gives: ["a": 1, "b": "undefined"])
        try expect(mapProperties(["a": ["to_string": false]]), on: ["a": 1], gives: ["a": 1])
        try expect(mapProperties(["a": ["to_string": 0]]), on: ["a": 1], gives: ["a": 1])
    }

    @Test("A copy that is too large or too deep is refused, and the event stays")
    func largeCopies() throws {
        var limits = FilterLimits()
        limits.copiedValues = 5
        limits.eventDepth = 3
        let transformer = try FilterTransformer(mapProperties(["a.b": ["copy": "c"]]), limits: limits)
        for (value, fits) in [([1, 2, 3, 4], true), ([1, 2, 3, 4, 5], false), ([1], true), ([[1]], false)]
            as [(JSON, Bool)]
        {
            var event: JSON = ["a": [:], "c": value]
            if fits {
                #expect(try transformer.apply(to: &event) == .changed)
            } else {
                let error = #expect(throws: FilterError.self) { try transformer.apply(to: &event) }
                #expect(error?.reason == .limit)
                #expect(event == ["a": [:], "c": value])
            }
        }
    }

    @Test("Writing far beyond the end of an array is refused")
    func farPosition() throws {
        var event: JSON = ["a": []]
        let transformer = try FilterTransformer(mapProperties(["a.4000000000": ["set": 1]]))
        let error = #expect(throws: FilterError.self) { try transformer.apply(to: &event) }
        #expect(error?.reason == .limit)
        #expect(event == ["a": []])
        let (result, _) = try applied(mapProperties(["a.4095": ["set": 1]]), to: event)
        #expect(result["a"]?.elements?.count == 4096)
    }

    @Test("A bad transformer is an error with its reason and its place")
    func badTransformers() {
        let cases: [(JSON, FilterError.Reason, String)] = [
            (.null, .unknownTransformer, ""), ("drop", .unknownTransformer, ""), ([:], .unknownTransformer, "type"),
            (["type": "Drop"], .unknownTransformer, "type"), (["type": 5], .unknownTransformer, "type"),
            (["type": "drop_properties"], .badConfiguration, "config"),
            (["type": "drop_properties", "config": .null], .badConfiguration, "config"),
            (["type": "drop_properties", "config": [:]], .badConfiguration, "config.drop"),
            (dropProperties(["a": "b"]), .badConfiguration, "config.drop.a"),
            (dropProperties(["a": ["b", 5]]), .badConfiguration, "config.drop.a[1]"),
            (dropProperties([]), .badConfiguration, "config.drop"),
            (allowProperties(.null), .badConfiguration, "config.allow"),
            (["type": "map_properties"], .badConfiguration, "config"),
            (mapProperties(5), .badConfiguration, "config.map"),
            (mapProperties(["a": 5]), .badConfiguration, "config.map.a"),
            (mapProperties(["a": ["copy": 5]]), .badConfiguration, "config.map.a.copy"),
            (mapProperties(["a": ["move": ["b"]]]), .badConfiguration, "config.map.a.move"),
            (["type": "sample_event", "config": [:]], .badConfiguration, "config.sample"),
            (sample(0.5, 7), .badConfiguration, "config.sample.path"),
        ]
        for (transformer, reason, path) in cases {
            let error = #expect(throws: FilterError.self) { try FilterTransformer(transformer) }
            #expect(error?.reason == reason, "\(transformer)")
            #expect(error?.path == path, "\(transformer)")
        }
    }
}
