import Foundation
import Testing
import Tributary

private struct Point: Codable {
    var x = 1
    var label = "a"
}

@Suite("Text of everything that is Encodable")
struct PrettyPrintingSnippet {
    @Test("prettyPrint gives JSON on one line or on several")
    func text() {
        #expect(Point().toString() == #"{"x":1,"label":"a"}"#)
        #expect(Point().prettyPrint() == "{\n  \"x\": 1,\n  \"label\": \"a\"\n}")
        #expect([1, 2].toString() == "[1,2]")
        #expect("a".toString(pretty: true) == "\"a\"")
        let event = TrackEvent(event: "E", properties: ["a": 1])
        #expect(event.toString() == #"{"type":"track","event":"E","properties":{"a":1}}"#)
        #expect(event.prettyPrint().contains("\"event\": \"E\""))
    }
}
