import Testing
import TributaryRuleCompiler

/// Scripts that do not become data, and the places of the reasons.
@Suite(.timeLimit(.minutes(30))) struct RuleCompilerTests {
    @Test("A problem has its line, its column and its plugin")
    func places() throws {
        let compilation = RuleCompiler.compile(
            """
            class Good extends LivePlugin {
                track(event) { return event }
            }
            class Bad extends LivePlugin {
                track(event) {
                    event.properties.at = Date.now()
                    return event
                }
                identify(event) {
                    return event.traits.match(/é/)
                }
            }
            analytics.add(new Good(LivePluginType.enrichment))
            analytics.add(new Bad(LivePluginType.enrichment))
            """)
        #expect(!compilation.isData)
        #expect(compilation.plugins == ["Good", "Bad"])
        #expect(compilation.isData(plugin: "Good"))
        #expect(!compilation.isData(plugin: "Bad"))
        #expect(compilation.problems.map(\.line) == [6, 10])
        #expect(compilation.problems.map(\.column) == [31, 28])
        #expect(compilation.problems.allSatisfy { $0.plugin == "Bad" })
        #expect(compilation.problems[0].reason.hasPrefix("a date"))
    }

    @Test(
        "Any text is data or has a problem",
        arguments: [
            "", "class", "class P extends LivePlugin { track(event) { return event } }", "}", "`${", "(((((", "a => ",
            "/*",
            "analytics.add(1)", "analytics.add(new P())", "const x = new Set(",
            "class P { #a } analytics.add(new P(1))",
            "let a = 1; let a = 2", "\u{0}", "class P extends LivePlugin { constructor() { } } analytics.add(new P())",
        ])
    func anyText(script: String) {
        let compilation = RuleCompiler.compile(script)
        #expect(!compilation.isData)
        #expect(!compilation.problems.isEmpty)
    }

    @Test("A script that is nested deep is refused and does not exhaust the stack")
    func nesting() {
        for (open, close) in [
            ("(", ")"), ("[", "]"), ("!", ""), ("{ a: ", "}"), ("x => ", ""), ("a ? b : ", ""), ("`${", "}`"),
        ] {
            let value = String(repeating: open, count: 5000) + "1" + String(repeating: close, count: 5000)
            #expect(!RuleCompiler.compile("const x = " + value).isData)
        }
        #expect(!RuleCompiler.compile(String(repeating: "if (a) {", count: 5000)).isData)
    }

    @Test("A bundle has the data of its script, and a changed line or script shows")
    func bundles() {
        let script = "class P extends LivePlugin { track(event) { return null } }\nanalytics.add(new P(\"before\"))\n"
        let bundle = RuleBundle(script)
        #expect(bundle.text.hasSuffix(script) && RuleBundle.hasData(bundle.text))
        #expect(RuleBundle(bundle.text).text == bundle.text)
        #expect(RuleBundle.isFaithful(bundle.text))
        #expect(!RuleBundle.isFaithful(bundle.text + "class Q {}\nfetch()"))
        #expect(RuleBundle("while (1) ;").text == "while (1) ;")
    }
}
