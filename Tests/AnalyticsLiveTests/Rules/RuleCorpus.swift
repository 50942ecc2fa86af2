import Foundation
import TributaryJSON

/// Small plugins of many shapes, in the file plugins.js beside this one.
///
/// A line `//: name` begins a plugin that becomes data, `//: name | reason` one that does not, with a part of the reason.
/// Without a class of its own, the text is the body of `track`.
enum RuleCorpus {
    struct Plugin {
        let name: String
        let reason: String?
        let script: String
    }

    static func plugins() throws -> [Plugin] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("plugins.js")
        let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n//: ").dropFirst()
        return parts.map { part in
            let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
            let heading = lines[0].components(separatedBy: " | ")
            let text = lines.dropFirst().joined(separator: "\n")
            let isWhole = text.contains("extends LivePlugin")
            return Plugin(
                name: heading[0], reason: heading.count > 1 ? heading[1] : nil,
                script: isWhole
                    ? text
                    : "class P extends LivePlugin { track(event) {\n\(text)\n} }\nanalytics.add(new P(LivePluginType.enrichment, null))"
            )
        }
    }

    /// Events of the kinds that the plugins look for.
    static func events() throws -> [JSON] {
        try [
            #"{"type":"track","event":"Product Added","messageId":"m-3","userId":"u-1","properties":{"product_id":"p-1","product_did":9007199254740993,"sku":"SKU-001","price":"19.99","quantity":2,"currency":"eur","email":"Ann@Example.com ","category":"Shoes > Men > Running","url":"https://shop.example/p?id=7&utm_source=mail","products":[{"product_id":"a","price":5,"quantity":2,"tags":["x","y"]},{"product_id":"b","price":2.5,"quantity":1}],"revenue":12.5,"name":"Shoe","address":{"city":"Riga","zip":"LV-1010"}},"context":{"device":{"advertisingId":"ad","model":"m"},"locale":"lv-LV","screen":{"width":1080,"height":1920},"campaign":{"source":"mail"},"ip":"1.2.3.4","traits":{"plan":"pro"}},"integrations":{"All":true},"timestamp":"2026-11-30T10:00:00.000Z"}"#,
            #"{"type":"identify","messageId":"m-4","userId":"u-1","traits":{"email":"Ann@Example.com","firstName":"ann","lastName":"lee","phone":"+371 2000-0000","age":"34","plan":"PRO"},"context":{}}"#,
            #"{"type":"screen","name":"Home Screen","messageId":"m-5","properties":{"name":"Home","referrer":null},"context":{"device":{"advertisingId":"ad"}}}"#,
            #"{"type":"group","groupId":"g-1","messageId":"m-6","traits":{"name":"ACME","employees":20}}"#,
            #"{"type":"track","event":"debug_ping","messageId":"m-7","properties":{},"context":{"__eventOrigin":{"type":"js","version":"7"}}}"#,
        ].map { try JSON.parse($0) }
    }
}
