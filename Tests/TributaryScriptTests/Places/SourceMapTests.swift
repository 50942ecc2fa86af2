import Foundation
import Testing

@testable import TributaryScript

/// Source maps as compilers write them.
@Suite struct SourceMapTests {
    /// `mappings` of two lines: the first begins at line 1, column 1 of a.ts and goes on at column 9 with line 3, column 5 of
    /// b.ts; the second begins at column 3 with line 4 of a.ts.
    private func map(_ mappings: String = "AAAA,QCEI;EDCA", root: String = "src") throws -> SourceMap? {
        let json: [String: Any] = [
            "version": 3, "sources": ["a.ts", "b.ts"], "sourceRoot": root, "names": [], "mappings": mappings,
        ]
        return SourceMap(json: try JSONSerialization.data(withJSONObject: json))
    }

    @Test(
        "The place in the source is that of the last segment before the column",
        arguments: [
            (1, 1, "src/a.ts:1:1"), (1, 8, "src/a.ts:1:1"), (1, 9, "src/b.ts:3:5"), (1, 500, "src/b.ts:3:5"),
            (2, 1, "src/a.ts:4:5"), (2, 3, "src/a.ts:4:5"),
        ])
    func places(line: Int, column: Int, place: String) throws {
        #expect(try map()?.place(line: line, column: column)?.description == place)
    }

    @Test("A line that is not in the map has no place")
    func unmappedLines() throws {
        #expect(try map()?.place(line: 3, column: 1) == nil)
        #expect(try map()?.place(line: 0, column: 1) == nil)
    }

    @Test(
        "Empty parts of mappings are left out",
        arguments: [("AAAA,", "src/a.ts:1:1"), (",AAAA", "src/a.ts:1:1"), (";;;", nil), ("", nil)]
            as [(String, String?)])
    func emptyParts(mappings: String, place: String?) throws {
        let map = try #require(try map(mappings))
        #expect(map.place(line: 1, column: 1)?.description == place)
    }

    @Test("Broken mappings make no map", arguments: ["A*", "g", "AA", "AEAA", "ADAA", "ggggggggggA"])
    func brokenMappings(mappings: String) throws {
        #expect(try map(mappings) == nil)
    }

    @Test(
        "A number that no 32-bit system can hold makes no map, also when it is the sum of smaller ones",
        arguments: [
            "ggggggEAAA", "AAggggggEA", "AAAhgggggE", "AAggggggCA,AAggggggCA,AAggggggCA", "AAAqgggggB,AAAggggggB",
        ])
    func largeNumber(mappings: String) throws {
        #expect(try map(mappings) == nil)
    }

    @Test(
        "JSON that is not a source map of version 3 makes no map",
        arguments: ["", "[]", "{}", #"{"version":2,"sources":[],"mappings":""}"#, #"{"version":3,"sections":[]}"#])
    func otherJSON(json: String) {
        #expect(SourceMap(json: Data(json.utf8)) == nil)
    }

    @Test("The error of a script with a source map has its place in the source")
    func errors() throws {
        let map = #"{"version":3,"sources":["plugin.ts"],"names":[],"mappings":"AAAA;AACA,YAGE"}"#
        let script =
            "// generated\nlet a = () => { null.x }; a()\n//# sourceMappingURL=data:application/json;base64,"
            + Data(map.utf8).base64EncodedString()
        let engine = try ScriptEngine()
        let error = #expect(throws: ScriptError.self) { try engine.run(script, name: "min.js") }
        #expect(error?.file == "plugin.ts")
        #expect(error?.line == 5)
        #expect(error?.stack?.hasPrefix("a@plugin.ts:5:3") == true)
        let broken = #expect(throws: ScriptError.self) {
            try engine.run("null.x\n//# sourceMappingURL=data:application/json;base64,!!", name: "other.js")
        }
        #expect(broken?.file == "other.js")
    }
}
