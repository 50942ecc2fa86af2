import Testing

@testable import TributaryScript

/// Regular expressions that can take very long, and those that cannot.
@Suite struct ExpressionRiskTests {
    @Test(
        "An expression with exponentially many ways to match has the exponential risk",
        arguments: [
            #"(a+)+$"#, #"^(([a-z])+.)+[A-Z]([a-z])+$"#, #"(a|a)*b"#, #"(a|aa)+$"#, #"(\w|\d)+$"#,
            #"([a-zA-Z0-9]{2,4})+$"#, #"(x+x+)+y"#, #"(.*)*"#, #"(\d+-?)+x"#, #"^(\w+\s?)*$"#, #"(?:[^"]+)+"#,
            #"(?<n>a*){10,}b"#,
            #"(\u0061+)+$"#, #"((a|b)*c?)*d"#,
        ])
    func exponential(pattern: String) {
        #expect(ExpressionRisk.of(pattern: pattern, flags: "") == .exponential)
    }

    @Test(
        "Repetitions that can share a text have the polynomial risk",
        arguments: [#"a*a*b"#, #".*foo.*bar"#, #"\d+\.?\d*$"#, #"(\s*\n?\s*)x"#])
    func polynomial(pattern: String) {
        #expect(ExpressionRisk.of(pattern: pattern, flags: "") == .polynomial)
    }

    @Test(
        "Usual and malformed expressions have no risk",
        arguments: [
            #"([a-z]+\.)+com"#, #"^[\w.+-]+@[\w-]+\.[\w.]+$"#, #"^\s+|\s+$"#, #"(foo|far)+"#, #"(a|b)+"#, #"(ab?)+c"#,
            #"\d{4}-\d{2}-\d{2}"#, #"^#?([a-f\d]{2})([a-f\d]{2})$"#, #"(\w+\s)+"#, #"https?:\/\/[^\/]+\/"#,
            #"[?&]utm_[a-z]+=([^&#]*)"#, #""(\\.|[^"\\])*""#, #"^(\d{1,3}\.){3}\d{1,3}$"#, #"\B(?=(\d{3})+(?!\d))"#,
            #"\s*,\s*"#, #"\d+\.?\d*"#,
            "[", "(", "a{", "", "]", #"\"#, "(?<", "[a-",
        ])
    func usual(pattern: String) {
        #expect(ExpressionRisk.of(pattern: pattern, flags: "g") == .none)
    }

    @Test("The risk of an expression depends on its flag for upper and lower case")
    func ignoredCase() {
        #expect(ExpressionRisk.of(pattern: "(a|A)+b", flags: "") == .none)
        #expect(ExpressionRisk.of(pattern: "(a|A)+b", flags: "i") == .exponential)
    }

    @Test("Risky expressions of a script are found with their lines")
    func places() {
        let source = "const a = 6 / 2 / 1;\n// /(a+)+b/\n\"/(a+)+b/\"\nif (a) /(a+)+b/g.test(a)"
        #expect(RiskyExpression.all(in: source) == [RiskyExpression(text: "/(a+)+b/g", line: 4, risk: .exponential)])
    }

    @Test("Deep and long patterns are read in bounded time")
    func longPatterns() {
        #expect(ExpressionRisk.of(pattern: String(repeating: "(", count: 1900), flags: "") == .none)
        #expect(ExpressionRisk.of(pattern: String(repeating: "a*", count: 5000), flags: "") == .none)
        for pattern in ["(a*b)*", "a*b", "[a-z]*b", "(((a*b)*c)*d)*x", "(?=a*b)"] {
            _ = ExpressionRisk.use(pattern: String(repeating: pattern, count: 2000 / pattern.count), flags: "")
        }
    }
}
