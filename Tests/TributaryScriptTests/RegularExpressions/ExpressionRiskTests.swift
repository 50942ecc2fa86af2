import Testing

@testable import TributaryScript

/// Regular expressions that can take very long, and those that cannot.
@Suite struct ExpressionRiskTests {
    @Test(
        "An expression with exponentially many ways to match has the exponential risk",
        arguments: [
            #"(a+)+$"#, #"^(([a-z])+.)+[A-Z]([a-z])+$"#, #"(a|a)*b"#, #"(a|aa)+$"#, #"(\w|\d)+$"#,
            #"([a-zA-Z0-9]{2,4})+$"#, #"(x+x+)+y"#, #"(.*)*x"#, #"(\d+-?)+x"#, #"^(\w+\s?)*$"#, #"(?:[^"]+)+;"#,
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
        "Usual expressions have no risk",
        arguments: [
            #"([a-z]+\.)+com"#, #"^[\w.+-]+@[\w-]+\.[\w.]+$"#, #"^\s+|\s+$"#, #"(foo|far)+"#, #"(a|b)+"#, #"(ab?)+c"#,
            #"\d{4}-\d{2}-\d{2}"#, #"^#?([a-f\d]{2})([a-f\d]{2})$"#, #"(\w+\s)+"#, #"https?:\/\/[^\/]+\/"#,
            #"[?&]utm_[a-z]+=([^&#]*)"#, #""(\\.|[^"\\])*""#, #"^(\d{1,3}\.){3}\d{1,3}$"#, #"\B(?=(\d{3})+(?!\d))"#,
            #"\s*,\s*"#, #"\d+\.?\d*"#, #""[^"\\]*(?:\\.[^"\\]*)*""#, #"\$\{([^}]*)\}"#, #"(.*)*"#,
            #"(["'])(?:(?!\1|\\).|\\.)*\1"#, #"[\t-\r]+x"#, #"[\x00-\x1f]+x"#, #"^(?=.*\d)(?=.*[a-z]).{8,}$"#, "",
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
        #expect(
            RiskyExpression.all(in: source) == [
                RiskyExpression(
                    text: "/(a+)+b/g", line: 4, column: 8, risk: .exponential,
                    slowText: String(repeating: "a", count: 19) + "!")
            ])
    }

    @Test(
        "A range of escaped characters counts with all its characters",
        arguments: ["([\\x41-\\x5a]|Q)+x", "([\\u0041-\\u005a]|Q)+x", "([\\t-\\r]|\n)+x", "([\\cA-\\cZ]|\n)+x"])
    func ranges(pattern: String) {
        #expect(ExpressionRisk.of(pattern: pattern, flags: "") == .exponential)
    }

    @Test(
        "A character outside of ASCII is one or two characters, as the flags say",
        arguments: [
            ("(\u{1F600}|.)+x", "u"), ("([\u{1F600}]|[\u{1F600}])+x", "u"), ("(k|\u{212A})+x", "iu"),
            ("(é|[^a])+x", ""),
        ])
    func beyondASCII(pattern: String, flags: String) {
        #expect(ExpressionRisk.of(pattern: pattern, flags: flags) == .exponential)
    }

    @Test(
        "Malformed patterns are read without harm",
        arguments: ["[", "(", "a{", "]", #"\"#, "(?<", "[a-", "(?i:", #"\u{"#, #"\k<"#])
    func malformed(pattern: String) {
        for flags in ["", "u", "v", "i"] { _ = ExpressionRisk.use(pattern: pattern, flags: flags) }
    }

    @Test(
        "The text that the review names for an expression takes too many steps",
        arguments: ["(a+)+$", "a*a*b", ".*foo.*bar", "^(([a-z])+.)+[A-Z]([a-z])+$", "(?:a(?:a*b)?)*", "x(\\d+-?)+y"])
    func slowTexts(pattern: String) throws {
        let expression = AnalyzedExpression(pattern: pattern, flags: "")
        let text = try #require(expression.slowText)
        #expect(expression.steps(in: text, from: 0, isOneTry: true) == nil)
        #expect(expression.steps(in: String(text.prefix(5)), from: 0, isOneTry: true) != nil)
    }

    @Test("The ways that are counted bound the steps of a matcher that goes back and tries again", arguments: 0..<40)
    func bound(seed: UInt64) {
        var random = ExpressionChance(seed: seed)
        for _ in 0..<50 {
            let pattern = random.pattern(depth: 3)
            guard let node = ExpressionParser.node(of: pattern, flags: "") else {
                Issue.record("\(pattern) was not read")
                continue
            }
            let text = (0..<random.below(9)).map { _ in ["a", "b"][random.below(2)] }.joined()
            var matcher = BacktrackingMatcher(text: Array(text.utf16).map(UInt32.init))
            matcher.search(node)
            guard let automaton = ExpressionAutomaton(node) else { continue }
            let counted =
                automaton.steps(
                    in: text.utf16.map(UInt32.init), length: text.utf16.count, isAtStart: true, isOneTry: false,
                    limit: .infinity) ?? 0
            // Turns without a character cost a matcher a little more.
            #expect(counted * 8 + 50 >= Double(matcher.steps), "/\(pattern)/ on \(text)")
        }
    }

    @Test("An expression without a bound takes steps that grow with the text and no faster", arguments: 0..<40)
    func linear(seed: UInt64) {
        var random = ExpressionChance(seed: seed &+ 1_000)
        for _ in 0..<50 {
            let pattern = random.pattern(depth: 3)
            guard ExpressionRisk.use(pattern: pattern, flags: "") == .anyText,
                let node = ExpressionParser.node(of: pattern, flags: "")
            else { continue }
            let pump = (0..<(1 + random.below(4))).map { _ in ["a", "b"][random.below(2)] }.joined()
            func steps(_ turns: Int) -> Int {
                let text = String(repeating: pump, count: turns) + "c"
                var matcher = BacktrackingMatcher(text: Array(text.utf16).map(UInt32.init))
                matcher.search(node)
                return matcher.steps
            }
            #expect(steps(80) <= 3 * steps(40) + 1_000, "/\(pattern)/ on \(pump)")
        }
    }

    @Test("Deep and long patterns are read in bounded time")
    func longPatterns() {
        #expect(ExpressionRisk.of(pattern: String(repeating: "(", count: 1900), flags: "") == .unknown)
        #expect(ExpressionRisk.of(pattern: String(repeating: "a*", count: 5000), flags: "") == .unknown)
        for pattern in ["(a*b)*", "a*b", "[a-z]*b", "(((a*b)*c)*d)*x", "(?=a*b)"] {
            _ = ExpressionRisk.use(pattern: String(repeating: pattern, count: 2000 / pattern.count), flags: "")
        }
    }
}
