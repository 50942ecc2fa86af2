import Foundation
import Testing
import TributaryJSON

@testable import AnalyticsLive

@Suite("Bodies of captured requests")
struct BodyReaderTests {
    private func read(_ body: String, _ type: String?, encoding: String? = nil) -> JSON? {
        BodyReader().read(Data(body.utf8), contentType: type, encoding: encoding)
    }

    @Test("A JSON body becomes content, under every media type of JSON")
    func json() {
        let content: JSON = ["content": ["price": 9.5]]
        for type in [
            "application/json", "Application/JSON; charset=utf-8", "application/vnd.api+json", "text/json", "", nil,
            "text/plain", "application/octet-stream+json",
        ] {
            #expect(read(#" {"price":9.5}"#, type) == content, "\(type ?? "none")")
        }
        #expect(read("[1]", "application/json") == ["content": [1]])
        #expect(read("7", "application/json") == ["content": 7])
        #expect(read("7", "text/plain") == ["body": "7"])
    }

    @Test("Other text becomes the body; a text with a secret is left out")
    func text() {
        #expect(read("grüß", "text/plain; charset=utf-8") == ["body": "grüß"])
        #expect(read("<a>1</a>", "application/xml") == ["body": "<a>1</a>"])
        #expect(read("<password>1</password>", "application/xml") == nil)
        #expect(read("a=1&pwd=2&b=3", "application/x-www-form-urlencoded") == ["body": "a=1&pwd=REDACTED&b=3"])
        #expect(read("Bearer abc", "text/plain") == nil)
    }

    @Test("Malformed JSON is treated as text")
    func invalid() {
        #expect(read(#"{"price":"#, "application/json") == ["body": #"{"price":"#])
        #expect(read(#"{"password":"x","#, "application/json") == nil)
        let deep = String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000)
        #expect(read(deep, "application/json") == ["body": .string(deep)])
    }

    @Test("Bodies that are binary, compressed, empty or too large are left out")
    func unreadable() {
        #expect(BodyReader().read(Data([0xFF, 0xFE, 0x41]), contentType: "text/plain") == nil)
        #expect(BodyReader().read(Data([0x41, 0x00]), contentType: "text/plain") == nil)
        #expect(read("x", "image/png") == nil)
        #expect(read("x", "application/octet-stream") == nil)
        #expect(read("--a\r\n", "multipart/form-data; boundary=a") == nil)
        #expect(read("{}", "application/json", encoding: "gzip") == nil)
        #expect(read("{}", "application/json", encoding: " Identity") == ["content": [:]])
        #expect(read("", "application/json") == nil)
        let fitting = #"""# + String(repeating: "x", count: 64 * 1024 - 2) + #"""#
        #expect(read(fitting, "application/json") != nil)
        #expect(read(fitting + " ", "application/json") == nil)
    }

    @Test("An app's own deserializer is used, and secrets are still removed")
    func deserializers() {
        var reader = BodyReader()
        reader.add({ _ in ["content": ["price": 1, "token": "x"]] }, for: "Application/X-Own")
        reader.add({ _ in nil }, for: "application/json")
        #expect(
            reader.read(Data([1]), contentType: "application/x-own; v=1")
                == ["content": ["price": 1, "token": "REDACTED"]])
        #expect(reader.read(Data("{}".utf8), contentType: "application/json") == nil)
    }

    @Test("A body beyond the limit is not kept")
    func endless() {
        var collector = BodyCollector(limit: 10)
        collector.take(Data(repeating: 65, count: 10))
        #expect(collector.data.count == 10)
        for _ in 0..<3 { collector.take(Data(repeating: 65, count: 1)) }
        #expect(collector.isTooLarge)
        #expect(collector.data.isEmpty)
    }
}
