import Testing

@testable import TributaryJSON

@Suite("JSON for people to read")
struct JSONTextTests {
    @Test("each member and element on its line, and read back the same")
    func pretty() throws {
        let json: JSON = ["a": [1, "x"], "b": [:], "c": [], "d": ["e": .null]]
        let text = """
            {
              "a": [
                1,
                "x"
              ],
              "b": {},
              "c": [],
              "d": {
                "e": null
              }
            }
            """
        #expect(json.prettyPrint() == text)
        #expect(try JSON.parse(text) == json)
        #expect(json.toString() == #"{"a":[1,"x"],"b":{},"c":[],"d":{"e":null}}"#)
    }
}
