import Testing

@testable import AnalyticsCompat

@Suite("Exact values")
struct ExactValuesTests {
    private func restored(_ value: String, _ original: String) throws -> String {
        ExactValues.restored(try JSON.parse(value), from: try JSON.parse(original)).description
    }

    @Test("An unchanged value keeps its spelling and place")
    func unchanged() throws {
        #expect(try restored(#"{"a":1,"b":2}"#, #"{"b":2.0,"a":1e0}"#) == #"{"b":2.0,"a":1e0}"#)
        #expect(try restored(#"{"a":1,"b":3,"c":4}"#, #"{"b":2.0,"a":1.0}"#) == #"{"b":3,"a":1.0,"c":4}"#)
        #expect(try restored(#"[1,{"x":1}]"#, #"[1.0,{"x":1.00,"y":0}]"#) == #"[1.0,{"x":1.00}]"#)
    }

    @Test("A changed value is the new value")
    func changed() throws {
        #expect(try restored("2", "1.0") == "2")
        #expect(try restored(#""1""#, "1") == #""1""#)
        #expect(try restored("[1]", "[1.0,2]") == "[1]")
        #expect(try restored("{}", #"{"a":1}"#) == "{}")
    }

    @Test("A number that no Swift type holds counts as unchanged when it comes back as Swift rounds it")
    func huge() throws {
        let text = "123456789012345678901234567890"
        let original = try JSON.parse("[\(text)]")
        let seen = try JSON(original.anyValue)
        #expect(ExactValues.restored(seen, from: original).description == "[\(text)]")
    }
}
