import Testing

@testable import TributaryJSON

@Suite("JSON for people to read")
struct JSONTextTests {
    @Test("Pretty text has each member and element on its own line and reads back the same")
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
