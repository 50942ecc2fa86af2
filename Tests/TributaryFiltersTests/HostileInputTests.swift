import Testing
import TributaryFilters
import TributaryJSON

/// Input that is made to be slow. A quadratic or exponential answer would keep the suite from ending.
@Suite struct HostileInputTests {
    @Test("A glob with many stars ends soon on a long text")
    func hostileGlobs() throws {
        let pattern = String(repeating: "a*", count: 250) + "b"
        let matcher = try FilterMatcher(fql(#"["match","t",{"value":"\#(pattern)"}]"#))
        #expect(try !matcher.matches(["t": .string(String(repeating: "a", count: 30_000))]))
        #expect(try matcher.matches(["t": .string(String(repeating: "a", count: 30_000) + "b")]))
        let classes = try FilterMatcher(fql(#"["match","t",{"value":"\#(String(repeating: "*[^z]", count: 100))z"}]"#))
        #expect(try !classes.matches(["t": .string(String(repeating: "ż", count: 15_000))]))
    }

    @Test("A long text is soon found in a longer one, or not found")
    func longNeedle() throws {
        let matcher = try FilterMatcher(fql(#"["contains","t","n"]"#))
        let text = String(repeating: "a", count: 1_000_000)
        let needle = String(repeating: "a", count: 400_000)
        #expect(try matcher.matches(["t": .string(text), "n": .string(needle)]))
        #expect(try !matcher.matches(["t": .string(text), "n": .string(needle + "b")]))
        #expect(try matcher.matches(["t": .string(text + "b"), "n": .string(needle + "b")]))
        #expect(try !matcher.matches(["t": .string(text), "n": .string("b" + needle)]))
    }

    @Test("Texts of every length are found at every place", arguments: [1, 2, 31, 32, 33, 34, 64, 65])
    func needles(length: Int) throws {
        let matcher = try FilterMatcher(fql(#"["contains","t","n"]"#))
        let needle = String((0..<length).map { $0 % 3 == 0 ? "a" : "b" })
        for lead in 0..<5 {
            let before = String(needle.prefix(lead)) + String(repeating: "ab", count: lead)
            #expect(try matcher.matches(["t": .string(before + needle), "n": .string(needle)]))
            #expect(try matcher.matches(["t": .string(before + needle + "ab"), "n": .string(needle)]))
            #expect(try !matcher.matches(["t": .string(before + needle.dropLast() + "c"), "n": .string(needle + "!")]))
        }
    }

    @Test("Twenty thousand keys are soon removed")
    func manyKeys() throws {
        var object = JSONObject()
        for number in 0..<20_000 { object["k\(number)"] = true }
        let keys = JSON.array((0..<20_000).map { .string("k\($0)") })
        var event = JSON.object(object)
        #expect(try FilterTransformer(dropProperties(["": keys])).apply(to: &event) == .changed)
        #expect(event == [:])
    }

    @Test("Values that are nested a thousand deep are compared and sampled")
    func deepEvents() throws {
        var deep: JSON = []
        for _ in 0..<1_000 { deep = [deep] }
        let event: JSON = ["a": deep, "b": deep]
        #expect(try !FilterMatcher(fql(#"["=","a","b"]"#)).matches(event))
        var sampled = event
        #expect(try FilterTransformer(sample(0.999999, "a")).apply(to: &sampled) != .changed)
    }

    @Test("An expression with two thousand parts is evaluated")
    func wideExpressions() throws {
        let items = Array(repeating: #"["=","a",{"value":1}]"#, count: 2_000).joined(separator: ",")
        #expect(try !FilterMatcher(fql(#"["or",\#(items)]"#)).matches(["a": 2]))
        #expect(try FilterMatcher(fql(#"["and",\#(items)]"#)).matches(["a": 1]))
    }
}
