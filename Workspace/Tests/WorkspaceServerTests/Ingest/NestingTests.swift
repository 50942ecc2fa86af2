import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Values that are nested too deeply", .timeLimit(.minutes(30))) struct NestingTests {
    private static func nested(_ levels: Int, in inner: String = "1") -> String {
        String(repeating: #"{"a":["#, count: levels / 2) + inner + String(repeating: "]}", count: levels / 2)
    }

    private static func event(_ id: String, _ properties: String) -> String {
        #"{"type":"track","event":"E","userId":"u","messageId":"\#(id)","properties":\#(properties)}"#
    }

    @Test(
        "Only what is below the last level is left out",
        arguments: [
            (#"{"a":1}"#, 1, #"{"a":1}"#), (#"{"a":{"b":[1]}}"#, 1, "{}"), (#"{"a":{"b":[1]}}"#, 2, #"{"a":{}}"#),
            (#"[1,[2],3]"#, 1, "[1,3]"), (#"[[2],3]"#, 1, "[3]"), (#"[1,[2]]"#, 1, "[1]"), (#"[[1],[2]]"#, 1, "[]"),
            (#"[[1],2,[3],[4],5]"#, 1, "[2,5]"), ("[1 , [2] ]", 1, "[1 ]"), ("[1, [2] , 3]", 1, "[1, 3]"),
            (#"{"x":"}]","a":{"s":"\"]}"},"y":2}"#, 1, #"{"x":"}]","y":2}"#),
            (#"{"a":[{}],"b":[[]]}"#, 2, #"{"a":[],"b":[]}"#),
            (#"[{"a":[1]},{"b":2}]"#, 2, #"[{},{"b":2}]"#),
        ])
    func cut(text: String, depth: Int, kept: String) {
        #expect(String(decoding: NestingCut.cut(Array(text.utf8), below: depth), as: UTF8.self) == kept)
    }

    @Test("What is cut is JSON of that depth, and a text that fits stays as it is", arguments: 0..<300 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        func value(_ depth: Int) -> JSON {
            switch Int.random(in: 0..<(depth > 8 ? 2 : 4), using: &random) {
            case 0: return .number(Int.random(in: 0..<9, using: &random))
            case 1: return .string(["a", "\"]", "{\\", ","].randomElement(using: &random) ?? "")
            case 2: return .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth + 1) })
            default:
                var object = JSONObject()
                for index in 0..<Int.random(in: 0..<4, using: &random) { object["k\(index)"] = value(depth + 1) }
                return .object(object)
            }
        }
        let json = JSON.array([value(1)])
        let text = json.encoded()
        #expect(NestingCut.cut(text, below: 20) == text)
        for depth in 1..<6 {
            let cut = try JSON.parse(NestingCut.cut(text, below: depth), limits: JSONLimits(depth: depth))
            #expect(cut == Self.expected(json, depth), "seed \(seed)")
        }
    }

    /// The value without what is nested more deeply.
    private static func expected(_ json: JSON, _ depth: Int) -> JSON? {
        guard json.elements != nil || json.objectValue != nil else { return json }
        guard depth > 0 else { return nil }
        if let elements = json.elements { return .array(elements.compactMap { expected($0, depth - 1) }) }
        var object = JSONObject()
        for (key, value) in json.objectValue ?? [:] {
            if let value = expected(value, depth - 1) { object[key] = value }
        }
        return .object(object)
    }

    @Test(
        "Bytes that are no JSON are cut without harm",
        arguments: ["", "]", "}}]", "{", "[[[", "\"", "[\"\\", ",,", "[,[,]"])
    func noJSON(text: String) {
        for depth in 1..<4 { _ = NestingCut.cut(Array(text.utf8), below: depth) }
    }

    @Test("The scanner checks what it passes below the last level as strictly as what is above")
    func strict() {
        func passes(_ text: String) -> Bool {
            Array(text.utf8).withUnsafeBufferPointer { bytes in
                var scanner = JSONScanner(bytes, depth: 1, passesDeeper: true)
                return (try? scanner.document { scanner throws(JSONError) in _ = try scanner.value() }) != nil
            }
        }
        let values = [
            "[]", "{}", "[1]", "[1,2]", #"{"a":1}"#, #"{"a":[1,{"b":[]}],"c":{}}"#, #"[ [ ] , { "a" : "x" } ]"#, "[1,]",
            "[,1]", "[1 2]", "{a:1}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1]"#, "[1}", "[", "{", #"{"a":"#,
            "[01]", "[tru]", #"["a]"#, "[[[]]", #"[{"a":[}]]"#, #"{"a":1 "b":2}"#,
        ]
        for value in values {
            let isJSON = (try? JSON.parse("[\(value)]")) != nil
            #expect(passes("[\(value)]") == isJSON, "\(value)")
        }
        #expect(passes(Self.nested(400_000)))
    }

    @Test("An event of a batch that is nested too deeply loses that value only, and the other events lose nothing")
    func batch() async throws {
        try await TestWorkspace.run { workspace async throws in
            let events = [
                Self.event("m-1", #"{"total":1}"#),
                Self.event("m-2", #"{"total":2,"deep":\#(Self.nested(600)),"last":3}"#),
                Self.event("m-3", #"{"fits":\#(Self.nested(118))}"#),
                Self.event("m-4", #"{"over":\#(Self.nested(120)),"total":4}"#),
            ]
            let body = #"{"writeKey":"WK","batch":[\#(events.joined(separator: ","))]}"#
            let answer = try await workspace.client.send("POST", "/v1/batch", body: Array(body.utf8))
            #expect(answer.status == 200, "\(answer.text)")
            let stored = try await workspace.client.events()
            #expect(stored.map { $0["messageId"]?.stringValue } == ["m-1", "m-2", "m-3", "m-4"])
            let properties = stored.map { $0["event"]?["properties"] }
            #expect(properties[0] == ["total": 1])
            #expect(properties[1]?["total"] == 2 && properties[1]?["last"] == 3)
            let whole = try JSON.parse(Self.nested(118))
            #expect(properties[2] == ["fits": whole])
            #expect(properties[3]?["total"] == 4)
            for event in stored {
                let text = try #require(event["event"]).encoded()
                #expect((try? JSON.parse(text, limits: JSONLimits(depth: JSONLimits.eventDepth))) != nil)
            }
        }
    }

    @Test("A single event loses only the value that is nested too deeply")
    func single() async throws {
        try await TestWorkspace.run { workspace async throws in
            let track =
                Self.event("m-1", #"{"deep":\#(Self.nested(400)),"total":1}"#).dropLast() + #","writeKey":"WK"}"#
            let answer = try await workspace.client.send("POST", "/v1/track", body: Array(track.utf8))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await workspace.client.events().first?["event"]?["properties"]?["total"] == 1)
        }
    }

    @Test("An import takes a line that is nested too deeply, without the value")
    func importing() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/deep.ndjson"
        let lines = [
            Self.event("m-1", #"{"deep":\#(Self.nested(400)),"total":1}"#),
            #"{"sequence":1,"event":\#(Self.event("m-2", #"{"deep":\#(Self.nested(400)),"total":2}"#))}"#,
        ]
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        try await TestWorkspace.run { workspace async throws in
            let outcome = try await CommandRun.finish(
                ["import", path, "--write-key", "WK", "--server", workspace.client.url])
            #expect(outcome.output == "2 events stored, 0 repeated, 0 rejected\n", "\(outcome.errors)")
            #expect(try await workspace.client.events().map { $0["event"]?["properties"]?["total"] } == [1, 2])
        }
    }
}
