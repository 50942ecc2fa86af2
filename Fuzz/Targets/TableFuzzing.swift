import TributaryJSON
import TributaryPluginTestKit

/// Any bytes are a table or a fault with a line of the text. A table comes out of a bundle as it went in, and any text can be
/// divided as a bundle.
enum TableFuzzing {
    static func run(_ bytes: [UInt8]) {
        check(bytes) { bytes throws(ScriptTables.Fault) in try TableText.csv(bytes) }
        check(bytes) { bytes throws(ScriptTables.Fault) in try TableText.json(bytes) }
        divide(String(decoding: bytes, as: UTF8.self))
    }

    private static func check(_ bytes: [UInt8], _ read: ([UInt8]) throws(ScriptTables.Fault) -> JSONObject) {
        do {
            try check(try read(bytes))
        } catch {
            require((1...bytes.count + 1).contains(error.line ?? 1), "the fault is in no line: \(error)")
        }
    }

    private static func check(_ entries: JSONObject) throws(ScriptTables.Fault) {
        var tables = ScriptTables()
        try tables.add(entries, named: "fuzz")
        let bundle = tables.bundle(of: "// code")
        require(bundle.utf8.count { $0 == 0x0A } == 1, "the tables take more than a line")
        guard let parts = try? ScriptTables.parts(of: bundle) else { fatalError("what was written cannot be read") }
        require(parts.code == "// code", "the script is another one")
        let (before, after) = (JSON.object(entries), JSON.object(parts.tables.entries(of: "fuzz")))
        require(before.encoded() == after.encoded(), "the table comes out different")
    }

    private static func divide(_ text: String) {
        // Behind the beginning of a line with tables, any text is either one that was written like this, or a fault.
        for bundle in [text, "/*tributary tables " + text] {
            guard let parts = try? ScriptTables.parts(of: bundle), !parts.tables.isEmpty else { continue }
            let again = try? ScriptTables.parts(of: parts.tables.bundle(of: parts.code))
            require(again?.tables == parts.tables && again?.code == parts.code, "it comes out different")
        }
    }
}
