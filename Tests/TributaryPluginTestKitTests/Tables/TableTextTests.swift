import Testing
import TributaryJSON

@testable import TributaryPluginTestKit

/// Tables as people write them.
@Suite struct TableTextTests {
    private typealias Fault = ScriptTables.Fault

    private func csv(_ text: String) throws(ScriptTables.Fault) -> JSONObject { try TableText.csv(Array(text.utf8)) }
    private func json(_ text: String) throws(ScriptTables.Fault) -> JSONObject { try TableText.json(Array(text.utf8)) }

    // MARK: CSV

    @Test("A row is an entry: its first cell is the key, and the others are texts by the names of their columns")
    func rows() throws {
        let table = try csv("sku,category,price\n007,Shoes,1.50\nA-2,,\n")
        #expect(
            JSON.object(table).description
                == #"{"007":{"category":"Shoes","price":"1.50"},"A-2":{"category":"","price":""}}"#)
        #expect(try csv("agent\nbot\ncrawler") == ["bot": [:], "crawler": [:]])
        #expect(try csv("sku,category").isEmpty)
    }

    @Test(
        "Each way to write the same rows gives the same table",
        arguments: [
            "k,v\r\na,1\r\nb,2\r\n", "k,v\ra,1\rb,2", "\u{FEFF}k,v\na,1\nb,2", "\n\nk,v\n\na,1\n\r\n\nb,2\n\n\n",
            "\"k\",\"v\"\n\"a\",\"1\"\n\"b\",2",
        ])
    func spellings(text: String) throws { #expect(try csv(text) == ["a": ["v": "1"], "b": ["v": "2"]]) }

    @Test("Cells in quotes have commas, quotes and ends of lines, and lines are counted through them")
    func quotes() throws {
        let table = try csv("k,v\n\"a,b\",\"say \"\"hi\"\"\"\nc,\"two\r\nlines\"\n\"\"\"\",\"\"\n")
        #expect(table == ["a,b": ["v": "say \"hi\""], "c": ["v": "two\r\nlines"], "\"": ["v": ""]])
        #expect(throws: Fault("there are 1 cells, and the first line names 2 columns", line: 4)) {
            try csv("k,v\na,\"two\nlines\"\nb\n")
        }
    }

    @Test(
        "Each fault of a CSV file names its line",
        arguments: [
            ("", "the file is empty; its first line names the columns", 1),
            ("\n\n", "the file is empty; its first line names the columns", 1),
            ("k;v\na;1", "the cells are separated by semicolons, and not by commas", 1),
            ("k\tv\na\t1", "the cells are separated by tabs, and not by commas", 1),
            ("k,,v\n", "a column has no name", 1), ("k,v,v\n", #"two columns have the name "v""#, 1),
            ("k, v\n", #"the name of the column " v" begins or ends with a space"#, 1),
            ("k,v\na,1\nb\n", "there are 1 cells, and the first line names 2 columns", 3),
            ("k,v\na,1,2\n", "there are 3 cells, and the first line names 2 columns", 2),
            ("k,v\na,1\n,2\n", "the key is empty", 3),
            ("k,v\na,1\n\nb,2\na,3", #"the key "a" is there twice, first in line 2"#, 5),
            ("k,v\na,\"1\nb,2\nc,3", "a cell begins with a quote, and no quote ends it", 2),
            ("k,v\na,\"1\"x\n", "there is text behind the quotes of a cell", 2),
            ("k,v\na,b\"c\n", "a cell with a quote in it stands in quotes, and its quotes are doubled", 2),
        ])
    func faults(text: String, message: String, line: Int) {
        #expect(throws: Fault(message, line: line)) { try csv(text) }
    }

    // MARK: JSON

    @Test("Members of an object are entries, and their values stay what they are")
    func members() throws {
        let text = #"{"a": 1.50, "b": {"c": [true, null, "x"]}, "é": "ü", "e\u0301": "other bytes"}"#
        let table = try json("\u{FEFF}" + text)
        #expect(JSON.object(table) == (try JSON.parse(text)))
        #expect(table.count == 4)
        #expect(try json("{}").isEmpty)
    }

    @Test("Names that objects of JavaScript have are keys like any other")
    func plainKeys() throws {
        let text = #"{"__proto__": {"polluted": 1}, "constructor": "c", "toString": {"__proto__": {"x": 1}}}"#
        #expect(JSON.object(try json(text)).description == text.replacing(": ", with: ":").replacing(", ", with: ","))
        #expect(try csv("k,__proto__\nconstructor,x") == ["constructor": ["__proto__": "x"]])
    }

    @Test(
        "Each fault of a JSON file names its line",
        arguments: [
            ("[]", #"a table is an object, such as {"A-1": {"category": "Shoes"}}"#, 1),
            ("{\n\"a\": 1,\n\"b\": 2,\n\"\\u0061\": 3}", #"the key "a" is there twice, first in line 2"#, 4),
            ("{\n\"\": 1}", "the key is empty", 2),
            ("{\"a\":\n9007199254740993}", "9007199254740993 is a text in quotes; no script has this number", 1),
            ("{\"a\": 1,\n\"b\": [1e400]}", "1e400 is a text in quotes; no script has this number", 2),
            ("{\"a\":1}\n{\"b\":2}", "text after the end of the value (line 2, column 1)", 2),
            ("{\"a\":1,\n\"b\"}", "':' is missing after a key (line 2, column 4)", 2),
        ])
    func jsonFaults(text: String, message: String, line: Int) {
        #expect(throws: Fault(message, line: line)) { try json(text) }
    }

    @Test("Only the outermost keys are keys of a table")
    func innerKeys() throws {
        let text = #"{"a": {"a": {"a": 1}}, "b": [{"a": 1}, "a", "b"], "c": "{\"a\":1,\"b\":2}", "d\"": "\\"}"#
        #expect(TableKeys.all(in: Array(text.utf8)).map(\.name) == ["a", "b", "c", "d\""])
        #expect(try json(text).count == 4)
    }

    // MARK: Hostile texts

    @Test("A text that is not UTF-8 is refused with its line")
    func notUTF8() {
        let wrong = Array("k,v\na,1\nb,".utf8) + [0xFF, 0x0A] + Array("c,3".utf8)
        #expect(throws: Fault("the text is not UTF-8", line: 3)) { try TableText.csv(wrong) }
        let json = Array("{\n\"a\": \"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
        #expect(throws: Fault("the text is not UTF-8", line: 2)) { try TableText.json(json) }
    }

    @Test("A file that is too large is not read")
    func tooLarge() {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: ScriptTables.Limits.fileBytes + 1)
        #expect(throws: Fault.self) { try TableText.csv(text) }
        #expect(throws: Fault.self) { try TableText.json(text) }
    }

    @Test("Values that are nested too deep are refused with their line, however deep they are")
    func tooDeep() throws {
        let deepest = ScriptTables.Limits.depth
        func nested(_ levels: Int) -> String {
            "{\n\"a\": " + String(repeating: "[", count: levels) + String(repeating: "]", count: levels) + "}"
        }
        #expect(try json(nested(deepest)).count == 1)
        for levels in [deepest + 1, 100_000] {
            let fault = #expect(throws: Fault.self) { try json(nested(levels)) }
            #expect(fault?.line == 2, "\(levels)")
        }
    }

    @Test("Too many entries and too long keys are refused with their line")
    func tooMany() throws {
        let most = ScriptTables.Limits.entries
        let rows = (0...most).map { "\($0)\n" }
        #expect(try csv("k\n" + rows.dropLast().joined()).count == most)
        #expect(throws: Fault("a table has at most \(most) entries", line: most + 2)) { try csv("k\n" + rows.joined()) }
        let long = String(repeating: "a", count: ScriptTables.Limits.keyBytes)
        #expect(try csv("k\n\(long)").count == 1)
        #expect(throws: Fault("the key has 257 bytes; a key has at most 256", line: 2)) { try csv("k\na\(long)") }
        let columns = (0...ScriptTables.Limits.columns).map { "c\($0)" }.joined(separator: ",")
        #expect(throws: Fault("a table has at most 100 columns", line: 1)) { try csv(columns) }
    }

    @Test("Any bytes are a table or a fault, and a table comes out of a bundle as it went in", arguments: 0..<20)
    func random(seed: UInt64) throws {
        var random = TableBytes(seed: seed)
        for _ in 0..<200 {
            let bytes = random.bytes()
            for entries in [try? TableText.csv(bytes), try? TableText.json(bytes)] {
                guard let entries else { continue }
                var tables = ScriptTables()
                try tables.add(entries, named: "t")
                let parts = try ScriptTables.parts(of: tables.bundle(of: "// code\n"))
                #expect(parts.tables.json.description == tables.json.description, "\(bytes)")
                #expect(parts.code == "// code\n")
            }
        }
    }
}

/// Bytes that look like tables.
private struct TableBytes {
    private var state: UInt64

    init(seed: UInt64) { state = seed &+ 1 }

    private mutating func next(_ below: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % below
    }

    mutating func bytes() -> [UInt8] {
        let parts = [
            "k,v\n", "{", "}", "\"a\"", "\"b\":", ",", "\n", "\r\n", "\"\"", "\"", "1", "a", "'", "\\", "\u{2028}", "é",
            "[", "]",
            "{\"a\":{\"b\":\"', \\\\ \\u2028\"}}", "__proto__", "Initial", "//# sourceMappingURL=", "*/", "');",
            "\u{0}",
        ]
        return (0..<next(12)).flatMap { _ in Array(parts[next(parts.count)].utf8) } + (next(9) == 0 ? [0xFF] : [])
    }
}
