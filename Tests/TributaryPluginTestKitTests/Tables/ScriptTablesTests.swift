import Foundation
import Testing
import TributaryJSON
import TributaryScript

@testable import TributaryPluginTestKit

/// Tables in a bundle.
@Suite struct ScriptTablesTests {
    private typealias Fault = ScriptTables.Fault

    private static let sku: JSONObject = [
        "A-1": ["category": "Shoes", "sizes": [["eu": 41]]], "7": "seven", "n": .null,
    ]

    private static func tables(_ entries: JSONObject = sku, named name: String = "sku") throws -> ScriptTables {
        var tables = ScriptTables()
        try tables.add(entries, named: name)
        return tables
    }

    /// A plugin that writes the value of an expression into each event.
    private static func plugin(_ expression: String) -> String {
        """
        class Look extends LivePlugin {
            track(event) {
                event.properties.found = \(expression)
                return event
            }
        }
        analytics.add(new Look(LivePluginType.enrichment, null))
        """
    }

    private static let event: JSON = [
        "type": "track", "event": "Viewed", "messageId": "m", "context": [:], "properties": ["sku": "A-1"],
    ]

    /// The value of an expression in a bundle, as a device and the workspace compute it.
    private func value(of expression: String, in tables: ScriptTables) throws -> JSON? {
        let bundle = tables.bundle(of: Self.plugin(expression))
        let device = try PluginTestRun(source: bundle, name: "p.js").run(Self.event)
        #expect(device.faults.isEmpty, "\(device.faults)")
        let workspace = try WorkspaceRun(source: bundle, name: "p.js", writeKey: "WK", version: "1").run(Self.event)
        #expect(device.after == workspace.event)
        // A client that does not divide bundles runs both parts as one script.
        let earlier = try PluginTestRun(source: "\n" + bundle, name: "p.js").run(Self.event)
        #expect(earlier.after == device.after, "\(earlier.faults)")
        return device.after?["properties"]?["found"]
    }

    // MARK: In scripts

    private static let lookedUp: [(String, JSON)] = [
        ("tables.get('sku', event.properties.sku).category", "Shoes"),
        ("tables.get('sku', 'A-1').sizes[0].eu", 41), ("tables.get('sku', 7)", "seven"),
        ("tables.get('sku', '7')", "seven"), ("tables.get('sku', 'n') === null", true),
        ("tables.get('sku', 'A-2') === undefined", true), ("tables.get('other', 'A-1') === undefined", true),
        ("tables.get('sku', 7.5) === undefined", true),
        // No number is near another number's key.
        ("tables.get('sku', 9007199254740993) === undefined", true),
        ("['toString', 'constructor', '__proto__', ''].every(key => tables.get('sku', key) === undefined)", true),
        ("['toString', 'constructor', '__proto__', ''].every(name => tables.get(name, 'A-1') === undefined)", true),
        (
            "[undefined, null, {}, [], ['A-1'], 7n, Symbol(), true, () => 1, { toString() { throw 1 } }]"
                + ".every(key => tables.get('sku', key) === undefined && tables.get(key, 'A-1') === undefined)", true
        ),
        ("tables.get() === undefined", true),
    ]

    @Test("A script gets the value of a key, and undefined for every key that is not there", arguments: lookedUp)
    func lookups(expression: String, expected: JSON) throws {
        #expect(try value(of: expression, in: Self.tables()) == expected)
    }

    @Test("Keys that every object of JavaScript has are keys like any other, and pollute nothing")
    func ownKeys() throws {
        let tables = try Self.tables(try TableText.json(Array(#"{"__proto__":{"x":1},"constructor":"c"}"#.utf8)))
        #expect(try value(of: "tables.get('sku', '__proto__').x", in: tables) == 1)
        #expect(try value(of: "tables.get('sku', 'constructor')", in: tables) == "c")
        #expect(try value(of: "tables.get('sku', 'x') === undefined && ({}).x === undefined", in: tables) == true)
        let named = try Self.tables(["a": 1], named: "__proto__")
        #expect(try value(of: "tables.get('__proto__', 'a')", in: named) == 1)
        #expect(try value(of: "({}).a === undefined", in: named) == true)
    }

    @Test("No script changes a table for another one")
    func frozen() throws {
        let change = """
            (() => {
                "use strict"
                const attempts = [
                    () => { tables.get("sku", "A-1").category = "other" }, () => { tables.get("sku", "A-1").sizes.push(1) },
                    () => { tables.get("sku", "A-1").sizes[0].eu = 1 }, () => { tables.get = () => 1 }, () => { tables = {} },
                    () => { Object.defineProperty(tables, "get", { value: () => 1 }) },
                ]
                const refused = attempts.filter(attempt => { try { attempt(); return false } catch { return true } })
                return [refused.length, tables.get("sku", "A-1"), tables.get("sku", "A-2") === undefined]
            })()
            """
        #expect(
            try value(of: change, in: Self.tables()) == [6, ["category": "Shoes", "sizes": [["eu": 41]]], true])
    }

    @Test("Every character of a key and of a value arrives")
    func characters() throws {
        let text = "'\"\\ \u{0}\n\r\u{2028}\u{2029}`${x}</script> é e\u{301} 😀 *\u{2F} ('x'); \\u005f \\x41 \\"
        let tables = try Self.tables(["k\(text)": .string(text)])
        #expect(!tables.line.dropLast().contains("\n"))
        let found = try value(of: "tables.get('sku', 'k' + \(JSON.string(text)))", in: tables)
        #expect(found?.stringValue?.utf8.elementsEqual(text.utf8) == true, "\(String(describing: found))")
    }

    @Test("A bundle without tables has no such name, and the fault says how to add some")
    func without() throws {
        let run = try PluginTestRun(source: Self.plugin("tables.get('sku', 'A-1')"), name: "p.js")
        let fault = try #require(run.run(Self.event).faults.first)
        #expect(fault.message.contains("the bundle has no tables"), "\(fault)")
        #expect(fault.line == 3)
    }

    @Test("A script may have a variable of that name")
    func ownVariable() throws {
        let bundle = try Self.tables().bundle(
            of: "const tables = { get: () => 'mine' }\n" + Self.plugin("tables.get()"))
        let result = try PluginTestRun(source: bundle, name: "p.js").run(Self.event)
        #expect(result.after?["properties"]?["found"] == "mine")
    }

    @Test("A script behind tables keeps its lines, its directive and its source map")
    func places() throws {
        let tables = try Self.tables()
        let strict = tables.bundle(of: "\"use strict\"\nundeclared = 1\n")
        let error = #expect(throws: PluginTestError.self) { try PluginTestRun(source: strict, name: "p.js") }
        #expect(error?.line == 2 && error?.file == "p.js")
        let broken = tables.bundle(of: "let a = 1\nclass {")
        #expect(throws: PluginTestError.self) { try PluginTestRun(source: broken, name: "p.js") }
        let map = Data(#"{"version":3,"sources":["plugin.ts"],"names":[],"mappings":"AAEA"}"#.utf8)
            .base64EncodedString()
        let mapped = tables.bundle(of: "null.x\n//# sourceMappingURL=data:application/json;base64,\(map)\n")
        let moved = #expect(throws: PluginTestError.self) { try PluginTestRun(source: mapped, name: "p.js") }
        #expect(moved?.file == "plugin.ts" && moved?.line == 3)
    }

    @Test("Words in tables that clients search for in scripts mean nothing there")
    func searchedWords() throws {
        let words = ["Initial", "Refresh", "__tributary_look", "//# sourceMappingURL=data:application/json,{}"]
        var entries = JSONObject()
        for word in words { entries[word] = .string(word) }
        let tables = try Self.tables(entries)
        for word in ["Initial", "Refresh", "__tributary_", "sourceMappingURL"] { #expect(!tables.line.contains(word)) }
        for word in words {
            let expression = "tables.get('sku', '\(word.prefix(9))' + '\(word.dropFirst(9))')"
            #expect(try value(of: expression, in: tables) == .string(word))
        }
        #expect(try value(of: "UpdateType.initial === true", in: tables) == true)
    }

    // MARK: Text of a bundle

    @Test("The line with tables has this form, which devices keep")
    func form() throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
        let file = root.appendingPathComponent("conformance/live-plugins.json")
        let vectors = try #require(try JSON.parse(try String(contentsOf: file, encoding: .utf8)).elements)
        let vector = try #require(vectors.first { $0["name"]?.stringValue?.contains("tables") == true })
        let line = try #require(vector["source"]?[0]?.stringValue)
        let parts = try ScriptTables.parts(of: line + "\n")
        #expect(parts.tables.names == ["sku", "bots"])
        #expect(parts.tables.line == line + "\n")
        #expect(line.hasPrefix(#"/*tributary tables {"sku":{"entries":2,"bytes":"#))
    }

    @Test("A bundle is divided into the tables and the script that it was made of")
    func parts() throws {
        var tables = try Self.tables()
        try tables.add(["bot": [:]], named: "bots")
        for code in ["", "\n", "// code\r\n", "\u{FEFF}let a = 1", "/*tributary tables */"] {
            let parts = try ScriptTables.parts(of: tables.bundle(of: code))
            #expect(parts.tables == tables)
            #expect(parts.tables.names == ["sku", "bots"])
            #expect(parts.code.utf8.elementsEqual(code.utf8))
            #expect(ScriptTables.code(of: tables.bundle(of: code)).utf8.elementsEqual(code.utf8))
        }
        #expect(ScriptTables().bundle(of: "code") == "code")
        #expect(try ScriptTables.parts(of: "let a = 1").tables.isEmpty)
        let saved = String(tables.line.dropLast()) + "\r\nlet a = 1"
        #expect(try ScriptTables.parts(of: saved).tables == tables)
    }

    @Test(
        "A line with tables that was changed by hand is refused",
        arguments: [
            ("Shoes", "Socks and more"), ("\"entries\":3", "\"entries\":4"), ("hasOwn(entries,key)", "true"),
            ("');\n", "')\n"), ("{\"sku\":{\"A-1\"", "{\"sku\":[\"A-1\""), ("Shoes", "\\n"), ("Shoes", "\\"),
            ("Shoes", "'"),
            ("*/(", "*/ ("), ("{\"sku\":{\"entries\"", "{"), ("\"n\":null", "\"\":null"),
        ])
    func changed(part: String, other: String) throws {
        let line = try Self.tables().line
        #expect(line.contains(part))
        let bundle = line.replacing(part, with: other) + Self.plugin("1")
        let fault = #expect(throws: Fault.self) { try ScriptTables.parts(of: bundle) }
        #expect(fault?.line == 1)
        let review = BundleReview(bytes: Array(bundle.utf8), name: "p.js")
        #expect(review.hasErrors)
    }

    // MARK: Limits

    @Test("All tables together have a limit, and a table that exceeds it changes nothing")
    func bytes() throws {
        var tables = ScriptTables()
        let big: JSONObject = ["k": .string(String(repeating: "x", count: 200_000))]
        try tables.add(big, named: "a")
        let before = tables
        let fault = #expect(throws: Fault.self) { try tables.add(big, named: "b") }
        #expect(fault?.message.contains("at most 262144") == true)
        #expect(tables == before)
        try tables.add(big, named: "a")
        #expect(tables.bytes(of: "a") == 200_008)
        // Together, tables of the same names may grow and shrink in any order.
        try tables.add(["k": "x"], named: "b")
        var others = ScriptTables()
        try others.add(big, named: "b")
        try others.add(["k": "x"], named: "a")
        try tables.add(others)
        #expect(tables.names == ["a", "b"] && tables.entries(of: "a") == ["k": "x"])
        let more = try Self.tables(["k": .string(String(repeating: "x", count: 63_000))], named: "c")
        var full = before
        #expect(throws: Fault.self) { try full.add(more) }
        #expect(full == before)
    }

    @Test("Names, numbers of tables and entries have limits")
    func limits() throws {
        for name in ["", "a b", "a/b", "é", String(repeating: "a", count: 65), "*\u{2F}"] {
            #expect(throws: Fault.self) { try Self.tables(named: name) }
        }
        var tables = ScriptTables()
        for number in 0..<ScriptTables.Limits.tables { try tables.add(["a": 1], named: "t\(number)") }
        #expect(throws: Fault.self) { try tables.add(["a": 1], named: "more") }
        #expect(throws: Fault.self) { try Self.tables(["": 1]) }
        #expect(throws: Fault.self) { try Self.tables(["a": .number(JSONNumber(Int.max))]) }
        #expect(throws: Fault.self) { try Self.tables(["a": [[[[[]]]]]]) }
    }

    // MARK: Review

    private func messages(_ bundle: String) -> [String] {
        BundleReview(bytes: Array(bundle.utf8), name: "p.js").findings.map(\.message)
            .filter { !$0.hasPrefix("loading takes") }
    }

    @Test("A review names a table that the bundle does not have, with the line in the script")
    func missingTables() throws {
        let tables = try Self.tables()
        #expect(messages(tables.bundle(of: Self.plugin("tables.get('sku', 'a')"))).isEmpty)
        let review = BundleReview(
            bytes: Array(tables.bundle(of: Self.plugin("tables.get('skus', 'a')")).utf8), name: "p.js")
        #expect(review.findings.map(\.message).first == #"the bundle has no table "skus"; did you mean "sku"?"#)
        #expect(review.findings.first?.line == 3)
        #expect(review.tables == tables)
        #expect(
            messages(Self.plugin("tables.get('sku', 'a')")).first
                == #"the bundle has no table "sku"; --table sku=FILE adds it"#)
        let own = "function find(tables) { return tables.get('x') }\n" + Self.plugin("find(new Map())")
        #expect(messages(own).isEmpty)
    }

    @Test("A review refuses a bundle with more tables than go out")
    func reviewedLimits() throws {
        let line = try Self.tables(["k": "x"]).line
        let long = line.replacing("\"x\"", with: "\"\(String(repeating: "x", count: 300_000))\"")
        let review = BundleReview(bytes: Array((long + Self.plugin("1")).utf8), name: "p.js")
        #expect(review.hasErrors && !review.isUsable)
        #expect(review.findings.contains { $0.message.contains("at most 262144") }, "\(review.findings)")
    }
}
