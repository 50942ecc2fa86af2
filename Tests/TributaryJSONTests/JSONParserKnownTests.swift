import Testing

@testable import TributaryJSON

/// Reading a text beside a known value has the same result as reading the text alone.
@Suite struct JSONParserKnownTests {
    private func read(
        _ text: [UInt8], like known: JSON, depth: Int = JSONLimits().depth
    ) -> Result<JSONReading, JSONError> {
        text.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in try JSON.parse(bytes, like: known, limits: JSONLimits(depth: depth)) }
        }
    }

    private func parse(_ text: [UInt8], like known: JSON, depth: Int = JSONLimits().depth) -> Result<JSON, JSONError> {
        read(text, like: known, depth: depth).map(\.value)
    }

    private func parse(_ text: String, like known: String) throws -> JSON {
        try parse(Array(text.utf8), like: JSON.parse(known)).get()
    }

    /// The value with each number as the double that is nearest.
    private func rounded(_ value: JSON) -> JSON {
        switch value {
        case .number(let number): .string("\(number.double + 0)")
        case .array(let elements): .array(elements.map(rounded))
        case .object(let members):
            .object(members.reduce(into: JSONObject()) { $0[$1.key] = rounded($1.value) })
        default: value
        }
    }

    /// Whether each number and `null` stands where the known value has it, written in the same way.
    private func hasOnlyNumbers(of known: JSON?, in value: JSON) -> Bool {
        switch (value, known) {
        case (.number, _), (.null, _): known.map { "\($0)" == "\(value)" } ?? false
        case (.array(let elements), _):
            elements.indices.allSatisfy { hasOnlyNumbers(of: known?[$0], in: elements[$0]) }
        case (.object(let members), _): members.allSatisfy { hasOnlyNumbers(of: known?[$0.key], in: $0.value) }
        default: true
        }
    }

    @Test("Equal parts of a text are taken from the known value, with the spelling of its numbers")
    func taken() throws {
        let known = try JSON.parse(#"{"a":{"n":18.50,"b":[1,2]},"c":9007199254740993,"d":"x"}"#)
        let text = #"{"a":{"n":18.5,"b":[1,2]},"d":"x","e":18.5}"#
        let value = try parse(text, like: "\(known)")
        #expect("\(value)" == #"{"a":{"n":18.50,"b":[1,2]},"d":"x","e":18.5}"#)
        let read = try parse(Array(text.utf8), like: known).get()
        let (old, new) = (try #require(known["a"]?.objectValue), try #require(read["a"]?.objectValue))
        #expect(new.isIdentical(to: old))
    }

    @Test(
        "A malformed text is refused beside any known value",
        arguments: [
            // Bytes that are part of the known text, and end a string in the other one.
            (#"{"a":"x"y"}"#, #"{"a":"x\"y"}"#),
            (#"{"a":"x\"}"#, #"{"a":"x\\"}"#),
            ("{\"a\":\"x\ny\"}", #"{"a":"x\ny"}"#),
            ("[1,2", "[1,2]"), ("[1,2]]", "[1,2]"), ("[01]", "[1]"), ("[1.]", "[1]"), ("[-]", "[0]"), ("nul", "null"),
            (#"{"a":1,}"#, #"{"a":1}"#), (#"{"a":1 "b":2}"#, #"{"a":1,"b":2}"#), (#"{"a"}"#, #"{"a":1}"#),
        ])
    func malformed(text: String, known: String) {
        #expect(throws: JSONError.self) { try parse(text, like: known) }
    }

    @Test("A repeated key keeps its last value beside a known value")
    func repeatedKeys() throws {
        #expect(try parse(#"{"a":1,"b":2,"a":3}"#, like: #"{"a":1,"b":2}"#) == ["a": 3, "b": 2])
        #expect(try parse(#"{"a":1,"\u0061":3}"#, like: #"{"a":1}"#) == ["a": 3])
    }

    @Test(
        "A reading says whether numbers, nulls or numbered keys are not those of the known value",
        arguments: [
            // Documents without a new number: the same one, one with a member less, one with new texts.
            (#"{"a":1.5,"b":"x","c":[null]}"#, false, false), (#"{"b":"x","c":[null]}"#, false, false),
            (#"{"a":1.50,"b":"y","d":true,"c":[null]}"#, false, false),
            // Documents with a new number: other values and other places.
            (#"{"a":2,"b":"x","c":[null]}"#, true, false), (#"{"a":1.5,"b":1.5,"c":[null]}"#, true, false),
            (#"{"a":1.5,"b":"x","c":[null,null]}"#, true, false), (#"{"d":1.5,"b":"x","c":[null]}"#, true, false),
            (#"{"a":1.5,"b":{"n":null},"c":[null]}"#, true, false), (#"{"a":null,"b":"x"}"#, true, false),
            (#"{"1":"x","a":1.5}"#, false, true), (#"{"a":1.5,"2":"x"}"#, false, false),
        ])
    func news(text: String, numbers: Bool, keys: Bool) throws {
        let known = try JSON.parse(#"{"a":1.5,"b":"x","c":[null]}"#)
        let reading = try read(Array(text.utf8), like: known).get()
        #expect(reading.hasNewNumbers == numbers)
        #expect(reading.hasNumberedKeys == keys)
    }

    @Test("A reading counts keys that are too deep for comparison as numbered")
    func deepKeys() throws {
        let deep = #"{"a":{"a":{"a":{"a":{"a":{"a":{"2":"x","1":"y"}}}}}}}"#
        let known = try JSON.parse(deep)
        let text = deep.replacing(#""2":"x","1":"y""#, with: #""1":"y","2":"x""#)
        #expect(try read(Array(text.utf8), like: known).get().hasNumberedKeys)
    }

    @Test("The bound of depth holds beside a known value that is deeper")
    func depth() throws {
        let text = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
        let known = try JSON.parse(text)
        #expect(throws: Never.self) { try parse(Array(text.utf8), like: known, depth: 20).get() }
        #expect(throws: JSONError.self) { try parse(Array(text.utf8), like: known, depth: 19).get() }
    }

    @Test("A changed document has the same value with and without a known value")
    func changes() throws {
        var random = SplitMix64(seed: 20_261_121)
        var (read, refused, kept) = (0, 0, 0)
        for _ in 0..<20_000 {
            let known = Self.value(&random, depth: 0)
            var text = (Bool.random(using: &random) ? known : Self.changed(known, &random)).encoded()
            if Bool.random(using: &random) { Self.damage(&text, &random) }
            let alone = Result { () throws(JSONError) in try JSON.parse(text) }
            switch (alone, self.read(text, like: known)) {
            case (.success(let alone), .success(let beside)):
                read += 1
                #expect("\(rounded(beside.value))" == "\(rounded(alone))", "\(String(decoding: text, as: UTF8.self))")
                if !beside.hasNewNumbers {
                    kept += 1
                    #expect(hasOnlyNumbers(of: known, in: beside.value), "\(String(decoding: text, as: UTF8.self))")
                }
            case (.failure(let alone), .failure(let beside)):
                refused += 1
                #expect(alone.reason == beside.reason)
            default: Issue.record("\(String(decoding: text, as: UTF8.self)) beside \(known)")
            }
        }
        #expect(read > 5_000 && refused > 2_000 && kept > 1_000 && kept < read - 1_000)
    }

    // MARK: Documents

    private static let texts = ["", "a", "b", "é", "x\"y", "back\\slash", "line\nbreak", "a longer text of some words"]
    private static let numbers: [JSON] = [
        0, 1, -1, 59.9, 1e21, 1e-7, 9_007_199_254_740_993, 123_456_789.125, 0.1, -0.0, 123_456_789_012_345.6,
    ]

    private static func value(_ random: inout SplitMix64, depth: Int) -> JSON {
        switch Int.random(in: 0..<(depth > 7 ? 4 : 8), using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: numbers.randomElement(using: &random) ?? 0
        case 3: .string(texts.randomElement(using: &random) ?? "")
        case 4: .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random, depth: depth + 1) })
        default: .object(object(&random, depth: depth))
        }
    }

    private static func object(_ random: inout SplitMix64, depth: Int) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            object[texts.randomElement(using: &random) ?? ""] = value(&random, depth: depth + 1)
        }
        return object
    }

    /// The value with a member or element removed, added, moved or replaced, somewhere.
    private static func changed(_ known: JSON, _ random: inout SplitMix64) -> JSON {
        switch known {
        case .object(var members):
            guard let member = members.randomElement(using: &random), Bool.random(using: &random) else {
                members[texts.randomElement(using: &random) ?? ""] = value(&random, depth: 5)
                return .object(members)
            }
            members[member.key] = nil
            if Bool.random(using: &random) { members[member.key] = changed(member.value, &random) }
            return .object(members)
        case .array(var elements) where !elements.isEmpty:
            let place = Int.random(in: elements.indices, using: &random)
            if Bool.random(using: &random) {
                elements[place] = changed(elements[place], &random)
            } else {
                elements.remove(at: place)
            }
            return .array(elements)
        default: return value(&random, depth: 5)
        }
    }

    private static func damage(_ text: inout [UInt8], _ random: inout SplitMix64) {
        guard !text.isEmpty else { return }
        let place = Int.random(in: text.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text[place] ^= 1 << UInt8.random(in: 0..<7, using: &random)
        case 1: text.remove(at: place)
        case 2: text.insert([0x20, 0x22, 0x2C, 0x30, 0x5C, 0xFF].randomElement(using: &random) ?? 0, at: place)
        default: text.removeSubrange(place...)
        }
    }
}
